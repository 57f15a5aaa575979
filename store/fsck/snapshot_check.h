// One moment of a store, from the rows up: what every engine can be asked.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "core/replay/events.h"
#include "store/backend/backend.h"
#include "store/fsck/finding.h"

namespace stele::store {

// What has to be in the tree besides its head: a guard's position.
struct MustReach {
  TreeSize size;
  Hash root;
};

struct SnapshotCheck {
  TreeSize size;
  Hash root;
  std::optional<Hash> genesis_leaf_hash;  // of entry 0, if that is whole
  std::vector<LogKeySpan> log_keys;       // that of genesis first; empty if not known
  uint64_t entries = 0, tiles = 0, contents = 0, content_bytes = 0;
  // False if entries were damaged: roles and derived rows could not be judged.
  bool judged = false;
};

// Checks every row of the snapshot's head: entries (frame, canonical form, leaf hash), tiles, root,
// content, signatures, roles and authority by the whole replay, checkpoint, derived rows. Findings
// are said as they come. `progress` hears entries done and in all, and may be empty.
//
// Memory: that of a replay (core/replay/replay.h) and one content or chunk. UNAVAILABLE if the
// store cannot be read just now; damage is no error.
absl::StatusOr<SnapshotCheck> CheckSnapshot(
    const Snapshot& snapshot, const std::optional<MustReach>& must_reach, Findings& findings,
    const std::function<void(uint64_t done, uint64_t all)>& progress);

}  // namespace stele::store
