// Joins pieces with one allocation. Debian's absl::StrCat does not take std::string_view.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace stele {

inline std::string Concat(std::initializer_list<std::string_view> pieces) {
  size_t size = 0;
  for (std::string_view piece : pieces) size += piece.size();
  std::string out;
  out.reserve(size);
  for (std::string_view piece : pieces) out += piece;
  return out;
}

}  // namespace stele
