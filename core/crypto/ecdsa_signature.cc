#include "core/crypto/ecdsa_signature.h"

#include <cstddef>

namespace stele {
namespace {

constexpr size_t kScalarBytes = 32;
constexpr char kSequence = 0x30;
constexpr char kInteger = 0x02;

// The order n of the curve's group, big endian.
constexpr unsigned char kOrder[kScalarBytes] = {
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};

bool InRange(std::string_view scalar) {
  // string_view compares bytes as unsigned.
  const std::string_view order(reinterpret_cast<const char*>(kOrder), kScalarBytes);
  return scalar < order && scalar.find_first_not_of('\0') != std::string_view::npos;
}

bool Negative(char first) { return (static_cast<unsigned char>(first) & 0x80) != 0; }

// Takes one minimal, positive INTEGER from the front of `der`; 32 bytes, or nothing.
std::optional<std::string> TakeInteger(std::string_view& der) {
  if (der.size() < 3 || der[0] != kInteger) return std::nullopt;
  const size_t size = static_cast<unsigned char>(der[1]);
  if (size < 1 || size > kScalarBytes + 1 || der.size() < 2 + size) return std::nullopt;
  std::string_view value = der.substr(2, size);
  der.remove_prefix(2 + size);
  if (Negative(value[0])) return std::nullopt;
  if (value[0] == 0) {
    if (size == 1 || !Negative(value[1])) return std::nullopt;  // zero, or not minimal
    value.remove_prefix(1);
  }
  if (value.size() > kScalarBytes) return std::nullopt;
  return std::string(kScalarBytes - value.size(), '\0').append(value);
}

void AppendInteger(std::string_view scalar, std::string& der) {
  const size_t first = scalar.find_first_not_of('\0');
  const std::string_view value = scalar.substr(first);
  const bool pad = Negative(value[0]);
  der += kInteger;
  der += static_cast<char>(value.size() + (pad ? 1 : 0));
  if (pad) der += '\0';
  der += value;
}

std::string ToDer(std::string_view r, std::string_view s) {
  std::string body;
  AppendInteger(r, body);
  AppendInteger(s, body);
  return std::string{kSequence, static_cast<char>(body.size())}.append(body);
}

}  // namespace

std::optional<std::string> NormalizeEcdsaSignature(std::string_view signature) {
  if (signature.size() == 2 * kScalarBytes) {
    const std::string_view r = signature.substr(0, kScalarBytes);
    const std::string_view s = signature.substr(kScalarBytes);
    if (!InRange(r) || !InRange(s)) return std::nullopt;
    return ToDer(r, s);
  }
  // At most 2 · 35 bytes of body, so the short form of the length is the only minimal one.
  if (signature.size() < 2 || signature[0] != kSequence || Negative(signature[1]) ||
      static_cast<size_t>(signature[1]) != signature.size() - 2) {
    return std::nullopt;
  }
  std::string_view body = signature.substr(2);
  const std::optional<std::string> r = TakeInteger(body);
  if (!r || !InRange(*r)) return std::nullopt;
  const std::optional<std::string> s = TakeInteger(body);
  if (!s || !InRange(*s) || !body.empty()) return std::nullopt;
  return std::string(signature);
}

}  // namespace stele
