// Amounts as people write them: "30s", "500ms", "2m"; "256MiB", "1GB", "4096". Strict: a number
// without fraction, a unit that is known, nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"

namespace stele::server {

// Units ms, s, m, h; the unit is demanded, so that nobody has to guess. INVALID_ARGUMENT.
absl::StatusOr<std::chrono::milliseconds> ParseDuration(std::string_view text);

// Units B, KiB, MiB, GiB, TiB, kB, MB, GB, TB; without a unit bytes. INVALID_ARGUMENT.
absl::StatusOr<uint64_t> ParseBytes(std::string_view text);

// A plain decimal number in [least, most]. INVALID_ARGUMENT.
absl::StatusOr<uint64_t> ParseCount(std::string_view text, uint64_t least, uint64_t most);

}  // namespace stele::server
