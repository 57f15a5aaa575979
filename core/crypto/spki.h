// The two forms of a public key as bytes (formats §4): a fixed prefix and the point. Pure.
#pragma once

#include <string>
#include <string_view>

namespace stele::spki {

using std::string_view_literals::operator""sv;

inline constexpr std::string_view kEd25519Prefix =
    "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00"sv;
inline constexpr size_t kEd25519PointBytes = 32;

// id-ecPublicKey, prime256v1, and the 0x04 of an uncompressed point.
inline constexpr std::string_view kP256Prefix =
    "\x30\x59\x30\x13\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07"
    "\x03\x42\x00\x04"sv;
inline constexpr size_t kP256CoordinateBytes = 32;
inline constexpr char kP256Name[] = "prime256v1";

// The point behind `prefix`, or an empty view if `spki` is anything else.
inline std::string_view PointAfter(std::string_view prefix, size_t point_bytes,
                                   std::string_view spki) {
  if (spki.size() != prefix.size() + point_bytes || spki.substr(0, prefix.size()) != prefix) {
    return {};
  }
  return spki.substr(prefix.size());
}

}  // namespace stele::spki
