// The replay keys of the latest commits, so that the writer need not ask the replay index again
// about a statement that admission has just looked up. One thread at a time.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/base/strong_int.h"
#include "store/backend/backend.h"

namespace stele::store {

class RecentReplays {
 public:
  // Keeps about so many keys, some 100 bytes each.
  explicit RecentReplays(size_t keys = 16384) : capacity_(keys) {}

  // Forgets everything; what is committed from `size` on is known.
  void Reset(TreeSize size);
  // The rows of the commit that follows the last one.
  void Add(const std::vector<ReplayRow>& rows, TreeSize size);

  // True if whatever was committed since the tree had `size` is known here.
  bool KnowsSince(TreeSize size) const { return size >= floor_; }
  std::optional<EntryIndex> Find(const ReplayKey& key) const;

 private:
  struct Commit {
    std::vector<ReplayKey> keys;
    TreeSize size;  // after it
  };
  const size_t capacity_;
  TreeSize floor_;
  std::deque<Commit> commits_;  // oldest first
  absl::flat_hash_map<ReplayKey, EntryIndex> indexes_;
};

}  // namespace stele::store
