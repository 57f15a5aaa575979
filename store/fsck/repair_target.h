// Which head a repaired store has to have.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/replay/events.h"
#include "core/tlog/checkpoint.h"
#include "store/backend/backend.h"
#include "store/fsck/snapshot_check.h"
#include "store/log/guard.h"
#include "store/store_folder.h"

namespace stele::store {

// What tells how long the log was. Whatever is damaged is absent.
struct Witnesses {
  std::optional<GuardIdentity> guard_identity;
  std::optional<GuardPosition> guard;
  std::optional<Head> head;          // of the old database
  std::vector<LogKeySpan> log_keys;  // that its entries name; may be empty
  std::string source;                // the source's checkpoint, a signed note
};

struct RepairTarget {
  Head head;                     // with its checkpoint; the time is for the rebuild to fill in
  TreeSize source_size;          // of the source's tree
  std::vector<MustReach> reach;  // what was signed or acknowledged before, at or below head.size
};

// The largest of: the old head, the source's head if a key of the log signed it that is current
// there (one that the entries name, or dir/log.key), and the guard's position, whose checkpoint is
// signed again with dir/log.key (the same bytes as the first time, if that was the only key).
//
// FAILED_PRECONDITION: nothing here tells how long the log was; the source is another log's, or has
// another history; the log's key is needed and not there.
absl::StatusOr<RepairTarget> ChooseTarget(const Witnesses& witnesses, const StorePaths& paths);

}  // namespace stele::store
