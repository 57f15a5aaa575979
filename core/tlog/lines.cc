#include "core/tlog/lines.h"

#include <charconv>

#include "core/base/limits.h"

namespace stele {

std::optional<std::string_view> TakeWholeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

std::optional<uint64_t> ParseDecimal(std::string_view text) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end || number > uint64_t{limits::kMaxInteger}) {
    return std::nullopt;
  }
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return number;
}

}  // namespace stele
