// The hashes inside one tile: those that are stored, and every node above them that the tile
// completes. Computed once (at most 254 node hashes), immutable after that.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/merkle/hash.h"

namespace stele::store {

class TileHashes {
 public:
  explicit TileHashes(absl::Span<const Hash> stored);
  // `bytes` is a number of whole hashes, at most limits::kTileWidth: else DATA_LOSS.
  static absl::StatusOr<TileHashes> FromBytes(std::string_view bytes);

  size_t width() const { return rows_[0].size(); }
  // The node `height` above the stored hashes (0 to 7) at `offset` from the tile's left; null if
  // the tile does not complete it.
  const Hash* Find(int height, uint64_t offset) const;

 private:
  std::vector<std::vector<Hash>> rows_;  // by height
};

}  // namespace stele::store
