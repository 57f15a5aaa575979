// The last step of an upload: what was staged is read back, and is whole only if it is the
// artifact.
#pragma once

#include "absl/status/status.h"
#include "store/backend/staging.h"

namespace stele::store {

// Reads every chunk, and seals `staged` (its list of chunks is filled in here) if they have its
// size and digest. Memory: one chunk.
//
// INVALID_ARGUMENT, CONTENT_MISMATCH: they have another digest. DATA_LOSS: one is damaged or has
// not its length. UNAVAILABLE: one is missing. Else the errors of Seal.
absl::Status SealVerified(Staging& staging, StagedArtifact staged);

}  // namespace stele::store
