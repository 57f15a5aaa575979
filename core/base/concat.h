// Text out of pieces: strings, string views, characters and integers, one after the other.
//
// absl::StrCat is not enough: Debian builds Abseil with a string_view of its own, which a
// std::string_view does not turn into.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace stele {
namespace concat_internal {

inline void Append(std::string& out, std::string_view text) { out.append(text); }
inline void Append(std::string& out, char letter) { out.push_back(letter); }
template <std::integral Int>
void Append(std::string& out, Int number) {
  out.append(std::to_string(number));
}

}  // namespace concat_internal

template <class... Pieces>
std::string Concat(const Pieces&... pieces) {
  std::string out;
  (concat_internal::Append(out, pieces), ...);
  return out;
}

}  // namespace stele
