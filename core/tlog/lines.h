// Lines and numbers as C2SP's texts write them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stele {

// Cuts one line, without its newline, from the front; nothing if no newline is left.
std::optional<std::string_view> TakeWholeLine(std::string_view& text);

// Decimal without leading zeros, at most 2^53−1 (rule 7).
std::optional<uint64_t> ParseDecimal(std::string_view text);

}  // namespace stele
