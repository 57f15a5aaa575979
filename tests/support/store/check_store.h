// A full check of a store from the bytes up, by the rules for everybody and not by the planner's
// code: every stateful test ends with one.
#pragma once

#include "absl/status/status.h"
#include "core/tlog/note.h"
#include "store/backend/backend.h"
#include "store/store.h"

namespace stele::testing {

// Re-hashes every leaf, content and tile, rebuilds root and key ring, verifies every signature and
// the checkpoint, and derives the replay, publication and key event rows anew. The first
// contradiction as INTERNAL, naming the place.
absl::Status CheckStore(const store::Snapshot& snapshot, const NoteVerifier& verifier);

// Of what the store shows at this moment.
absl::Status CheckStore(const store::Store& store);

}  // namespace stele::testing
