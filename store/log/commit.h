// Signing and committing a plan: the one way in which the log grows, genesis included.
#pragma once

#include "absl/status/status.h"
#include "core/crypto/key.h"
#include "core/tlog/note.h"
#include "store/backend/backend.h"
#include "store/log/planner.h"

namespace stele::store {

// Signs the plan's head and commits it. On OK plan and checkpoint are on stable storage, and
// `planned.next.head` has the checkpoint. Errors are those of Backend::Commit, and INTERNAL if
// signing fails; then nothing was written.
absl::Status SignAndCommit(Backend& backend, const NoteVerifier& verifier,
                           const PrivateKey& log_key, PlannedBatch& planned);

}  // namespace stele::store
