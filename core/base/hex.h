// Lowercase hexadecimal, strict: upper case, odd length and any other character are refused.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stele {

std::string HexEncode(std::string_view bytes);
// The bytes, or nothing if `text` is not lowercase hex of even length.
std::optional<std::string> HexDecode(std::string_view text);

}  // namespace stele
