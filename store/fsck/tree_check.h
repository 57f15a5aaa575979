// Every stored tile against the leaf hashes of the entries. Memory does not grow with the log.
#pragma once

#include <optional>
#include <string>

#include "core/tlog/tree_edge.h"
#include "store/backend/backend.h"
#include "store/fsck/finding.h"

namespace stele::store {

class TreeCheck {
 public:
  // Both outlive it.
  TreeCheck(const Snapshot& snapshot, Findings& findings)
      : snapshot_(snapshot), findings_(findings) {}

  // The next leaf hash, or nothing if its entry is damaged: then what its tile says is taken, and
  // if that is not there either, the tree ends here. Errors are of reading.
  absl::Status Append(const std::optional<Hash>& leaf_hash);
  // After the last: the unfinished tiles, and that no others stand there.
  absl::Status Finish();

  // Of all that was appended; nothing if hashes were missing.
  std::optional<Hash> Root() const;
  uint64_t tiles() const { return tiles_; }

 private:
  absl::StatusOr<std::optional<Hash>> HashFromTile(uint64_t index) const;
  absl::Status Compare(const TileId& id, const std::string& expected);
  absl::Status CompareUnfinished();
  absl::Status FindOthers();

  const Snapshot& snapshot_;
  Findings& findings_;
  TreeEdge edge_;
  uint64_t tiles_ = 0;
  bool broken_ = false;
};

}  // namespace stele::store
