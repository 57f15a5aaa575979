#include "tools/push/subject_pointer.h"

#include <charconv>

namespace stele::tools {

std::optional<size_t> RefusedSubject(std::string_view pointer, size_t count) {
  for (std::string_view prefix : {"/subject/", "/manifests/"}) {
    if (!pointer.starts_with(prefix)) continue;
    const std::string_view rest = pointer.substr(prefix.size());
    size_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const bool whole = end == rest.data() + rest.size() || *end == '/';
    if (error == std::errc() && whole && number < count) return number;
  }
  return std::nullopt;
}

}  // namespace stele::tools
