#include "server/config/units.h"

#include <limits>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "server/base/cat.h"

namespace stele::server {
namespace {

// The digits at the start, and what follows them.
std::pair<std::string_view, std::string_view> SplitUnit(std::string_view text) {
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  return {text.substr(0, digits), text.substr(digits)};
}

// number × factor, or nothing if it is no number or too large.
std::optional<uint64_t> Times(std::string_view number, uint64_t factor) {
  uint64_t value = 0;
  if (number.empty() || !absl::SimpleAtoi(ToAbsl(number), &value)) return std::nullopt;
  if (value > std::numeric_limits<int64_t>::max() / factor) return std::nullopt;
  return value * factor;
}

uint64_t MillisecondsOf(std::string_view unit) {
  if (unit == "ms") return 1;
  if (unit == "s") return 1000;
  if (unit == "m") return 60 * 1000;
  if (unit == "h") return 3600 * 1000;
  return 0;
}

uint64_t BytesOf(std::string_view unit) {
  constexpr std::string_view kBinary[] = {"KiB", "MiB", "GiB", "TiB"};
  constexpr std::string_view kDecimal[] = {"kB", "MB", "GB", "TB"};
  if (unit.empty() || unit == "B") return 1;
  uint64_t binary = 1, decimal = 1;
  for (int i = 0; i < 4; ++i) {
    binary *= 1024;
    decimal *= 1000;
    if (unit == kBinary[i]) return binary;
    if (unit == kDecimal[i]) return decimal;
  }
  return 0;
}

}  // namespace

absl::StatusOr<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  auto [number, unit] = SplitUnit(text);
  const uint64_t factor = MillisecondsOf(unit);
  std::optional<uint64_t> value = factor == 0 ? std::nullopt : Times(number, factor);
  if (!value) {
    return absl::InvalidArgumentError(
        Cat("\"", text, "\" is no duration: write a whole number and ms, s, m or h, like 30s"));
  }
  return std::chrono::milliseconds(static_cast<int64_t>(*value));
}

absl::StatusOr<uint64_t> ParseBytes(std::string_view text) {
  auto [number, unit] = SplitUnit(text);
  const uint64_t factor = BytesOf(unit);
  std::optional<uint64_t> value = factor == 0 ? std::nullopt : Times(number, factor);
  if (!value) {
    return absl::InvalidArgumentError(
        Cat("\"", text,
            "\" is no amount of bytes: write a whole number and nothing, KiB, "
            "MiB, GiB or TiB, like 256MiB"));
  }
  return *value;
}

absl::StatusOr<uint64_t> ParseCount(std::string_view text, uint64_t least, uint64_t most) {
  std::optional<uint64_t> value;
  if (SplitUnit(text).second.empty()) value = Times(text, 1);
  if (!value || *value < least || *value > most) {
    return absl::InvalidArgumentError(
        Cat("\"", text, "\" is no whole number from ", least, " to ", most));
  }
  return *value;
}

}  // namespace stele::server
