// absl::StrCat that takes std::string_view: Debian's Abseil has a string_view of its own, and two
// conversions are one too many.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace stele::server {

inline absl::string_view ToAbsl(std::string_view text) { return {text.data(), text.size()}; }
inline std::string_view FromAbsl(absl::string_view text) { return {text.data(), text.size()}; }

namespace internal {
template <class T>
decltype(auto) Piece(const T& part) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return ToAbsl(part);
  } else {
    return part;
  }
}
}  // namespace internal

template <class... Parts>
std::string Cat(const Parts&... parts) {
  return absl::StrCat(internal::Piece(parts)...);
}

}  // namespace stele::server
