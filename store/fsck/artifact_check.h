// Every artifact against its name, chunk by chunk.
#pragma once

#include "absl/status/status.h"
#include "core/replay/replay.h"
#include "store/backend/backend.h"
#include "store/fsck/finding.h"

namespace stele::store {

// Also those that no entry names; what is withheld may be gone. Memory: one chunk. Errors are of
// reading.
absl::Status CheckArtifacts(const Snapshot& snapshot, const Replay& replay, Findings& findings);

}  // namespace stele::store
