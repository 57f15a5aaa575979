// Content in chunks, verified: each chunk against the artifact's own list. Pure but for reading.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "store/backend/backend.h"

namespace stele::store {

// Chunk `number` of an artifact that the snapshot has. DATA_LOSS, naming it, if it is missing or is
// not what the list says.
absl::StatusOr<std::string> ReadChunk(const Snapshot& snapshot, const ArtifactRow& artifact,
                                      uint64_t number);

// All of a small one, its digest checked. RESOURCE_EXHAUSTED (TOO_LARGE) above
// limits::kWholeContentBytes: such content comes in a stream.
absl::StatusOr<std::string> ReadSmallArtifact(const Snapshot& snapshot, const Digest& digest);

}  // namespace stele::store
