#include "core/tlog/vkey.h"

#include <optional>

#include "core/base/base64.h"
#include "core/base/hex.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "core/tlog/key_name.h"

namespace stele {
namespace {

constexpr size_t kKeyHashBytes = 4;

absl::Status BadVkey(std::string_view message) {
  return RefuseInput(reason::kBadVkey, "", message);
}

std::string KeyHashBytes(const Vkey& vkey) {
  const Digest digest = Sha256({vkey.name, "\n", {&vkey.type, 1}, vkey.key});
  return std::string(digest.bytes().substr(0, kKeyHashBytes));
}

// Cuts what stands before the next '+' from the front of `text`; the whole if there is none.
std::string_view CutAtPlus(std::string_view& text) {
  const size_t plus = text.find('+');
  const std::string_view part = text.substr(0, plus);
  text.remove_prefix(plus == std::string_view::npos ? text.size() : plus + 1);
  return part;
}

}  // namespace

uint32_t KeyHashOf(const Vkey& vkey) {
  uint32_t value = 0;
  for (char c : KeyHashBytes(vkey)) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

absl::StatusOr<Vkey> ParseVkey(std::string_view text) {
  std::string_view rest = text;
  const std::string_view name = CutAtPlus(rest);
  const std::optional<std::string> hash = HexDecode(CutAtPlus(rest));
  const std::optional<std::string> key = Base64DecodeStrict(rest);  // may contain '+' itself
  if (!hash || !key || key->empty()) {
    return BadVkey("a vkey is <name>+<8 lowercase hex digits>+<base64 of type and key>");
  }
  if (!ValidKeyName(name)) return BadVkey("a key name is not empty, without white space and '+'");
  Vkey vkey{std::string(name), key->front(), key->substr(1)};
  if (FormatVkey(vkey) != text) return BadVkey("the id of the vkey is not that of its key");
  return vkey;
}

std::string FormatVkey(const Vkey& vkey) {
  return vkey.name + "+" + HexEncode(KeyHashBytes(vkey)) + "+" +
         Base64Encode(std::string(1, vkey.type).append(vkey.key));
}

}  // namespace stele
