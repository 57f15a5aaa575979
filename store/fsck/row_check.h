// The rows that follow from the entries, as they are stored: each is there, as it should be, and
// there are no others.
#pragma once

#include "absl/status/status.h"
#include "store/backend/backend.h"
#include "store/fsck/finding.h"
#include "store/fsck/log_check.h"

namespace stele::store {

// `log` has taken all entries and is whole. One walk over each kind of row, and only if that finds
// a difference another one over the entries that says where. Errors are of reading.
absl::Status CheckDerivedRows(const Snapshot& snapshot, const LogCheck& log, Findings& findings);

// Every row of content against its name, also where no entry names it.
absl::Status CheckContentRows(const Snapshot& snapshot, const Replay& replay, Findings& findings);

}  // namespace stele::store
