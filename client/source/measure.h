// Content of any size, verified without being held.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "client/source/source.h"

namespace stele::client {

// How many bytes it has; nothing if it is not there or its bytes have another digest. Errors are
// the source's.
absl::StatusOr<std::optional<uint64_t>> MeasureArtifact(Source& source, const Digest& digest);

}  // namespace stele::client
