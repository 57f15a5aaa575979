#include "core/crypto/digest.h"

#include <algorithm>

#include "core/base/hex.h"

namespace stele {
namespace {
constexpr std::string_view kPrefix = "sha256:";
}  // namespace

std::optional<Digest> Digest::FromBytes(std::string_view bytes) {
  if (bytes.size() != kBytes) return std::nullopt;
  Digest digest;
  std::copy(bytes.begin(), bytes.end(), digest.bytes_.begin());
  return digest;
}

std::optional<Digest> Digest::FromText(std::string_view text) {
  if (text.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  return FromHex(text.substr(kPrefix.size()));
}

std::optional<Digest> Digest::FromHex(std::string_view hex) {
  if (hex.size() != 2 * kBytes) return std::nullopt;
  std::optional<std::string> bytes = HexDecode(hex);
  if (!bytes) return std::nullopt;
  return FromBytes(*bytes);
}

std::string Digest::ToText() const { return std::string(kPrefix) + ToHex(); }
std::string Digest::ToHex() const { return HexEncode(bytes()); }

}  // namespace stele
