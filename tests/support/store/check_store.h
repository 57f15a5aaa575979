// A full check of a store, that of fsck (store/fsck/snapshot_check.h), by the rules for everybody
// and not by the planner's code: every stateful test ends with one.
#pragma once

#include "absl/status/status.h"
#include "core/tlog/note.h"
#include "store/backend/backend.h"
#include "store/store.h"

namespace stele::testing {

// OK if nothing is found and the log's key is `verifier`'s; else all that is found, as INTERNAL.
absl::Status CheckStore(const store::Snapshot& snapshot, const NoteVerifier& verifier);

// Of what the store shows at this moment.
absl::Status CheckStore(const store::Store& store);

}  // namespace stele::testing
