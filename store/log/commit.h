// Signing and committing a plan: the one way in which the log grows, genesis included.
#pragma once

#include "absl/status/status.h"
#include "store/backend/backend.h"
#include "store/log/log_signer.h"
#include "store/log/planner.h"

namespace stele::store {

// Signs the plan's head, by all log keys that the plan itself makes current, and commits it. On OK
// plan and checkpoint are on stable storage, and `planned.next.head` has the checkpoint. Errors are
// those of Backend::Commit; LOG_KEY_MISSING (UNAVAILABLE), or INTERNAL if signing fails: then
// nothing was written.
absl::Status SignAndCommit(Backend& backend, const LogSigner& signer, PlannedBatch& planned);

}  // namespace stele::store
