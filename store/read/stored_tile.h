// Tiles of the tree of a given size as they follow from what a snapshot stores: full ones and those
// of level ≥ 1 are rows, the unfinished tile of level 0 follows from the entries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/hash_reader.h"
#include "store/backend/backend.h"

namespace stele::store {

// All hashes of tile (`level`, `number`) in the tree of `size`, which is at most the snapshot's:
// exactly TileWidth × 32 bytes; DATA_LOSS if rows that must be there are not, or are too short.
absl::StatusOr<std::string> StoredTile(const Snapshot& snapshot, TreeSize size, int level,
                                       uint64_t number);

// The hashes of the tree of `size` read from its tiles, none of them kept: for recovery, which
// reads a few. Borrows the snapshot.
class StoredHashReader final : public HashReader {
 public:
  StoredHashReader(const Snapshot& snapshot, TreeSize size) : snapshot_(snapshot), size_(size) {}
  absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const override;

 private:
  const Snapshot& snapshot_;
  const TreeSize size_;
};

}  // namespace stele::store
