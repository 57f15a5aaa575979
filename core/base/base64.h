// Base64 (RFC 4648), strict. Encoding is always the standard alphabet with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stele {

std::string Base64Encode(std::string_view bytes);
// Appends to `out`; saves a copy on the hot path.
void Base64Append(std::string_view bytes, std::string& out);

// Standard alphabet, padded, no white space, spare bits zero: the text equals its own
// re-encoding. What stands inside payloads, leaves and citations.
std::optional<std::string> Base64DecodeStrict(std::string_view text);

// What DSSE input may be: either alphabet (not mixed), padding complete or absent; white
// space and non-zero spare bits are refused.
std::optional<std::string> Base64DecodeInput(std::string_view text);

}  // namespace stele
