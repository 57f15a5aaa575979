#include <charconv>

#include "tools/command/common.h"

namespace stele::tools {

std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || number <= 0 || number > 24 * 3600 * 1000) return std::nullopt;
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  int64_t scale = 0;
  if (unit == "ms") scale = 1;
  if (unit == "s" || unit.empty()) scale = 1000;
  if (unit == "m") scale = 60 * 1000;
  if (scale == 0 || number * scale > 24 * 3600 * 1000) return std::nullopt;
  return std::chrono::milliseconds(number * scale);
}

}  // namespace stele::tools
