// The limits of what a client keeps: limits.h goes on here, in the same namespace and under the
// same rules.
#pragma once

#include <cstddef>

namespace stele::limits {

inline constexpr size_t kKeptCheckpoints = 32;  // of one log, in a state folder
inline constexpr size_t kKeptCheckpointBytes = 1024 * 1024;
inline constexpr size_t kPinFileBytes = 16 * 1024 * 1024;

}  // namespace stele::limits
