// The same work on many items, on the caller's thread and others.
#pragma once

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace stele::client {

// Calls `work` with every number below `count`, from up to `threads` threads at a time, and waits.
// After an error no further item is begun; of several the one of the lowest item is returned.
absl::Status ParallelFor(size_t threads, size_t count,
                         absl::FunctionRef<absl::Status(size_t item)> work);

}  // namespace stele::client
