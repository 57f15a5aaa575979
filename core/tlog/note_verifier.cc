#include <utility>

#include "core/base/base64.h"
#include "core/base/hex.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/tlog/key_name.h"
#include "core/tlog/note.h"

namespace stele {
namespace {

constexpr char kEd25519Type = '\x01';
constexpr size_t kKeyHashBytes = 4;

absl::Status BadVkey(std::string_view message) {
  return RefuseInput(reason::kBadVkey, "", message);
}

std::string KeyHashBytes(std::string_view name, std::string_view raw) {
  const Digest digest = Sha256({name, "\n", {&kEd25519Type, 1}, raw});
  return std::string(digest.bytes().substr(0, kKeyHashBytes));
}

uint32_t BigEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// Cuts what stands before the next '+' from the front of `text`; the whole if there is none.
std::string_view CutAtPlus(std::string_view& text) {
  const size_t plus = text.find('+');
  const std::string_view part = text.substr(0, plus);
  text.remove_prefix(plus == std::string_view::npos ? text.size() : plus + 1);
  return part;
}

}  // namespace

absl::StatusOr<NoteVerifier> NoteVerifier::FromVkey(std::string_view vkey) {
  std::string_view rest = vkey;
  const std::string_view name = CutAtPlus(rest);
  const std::optional<std::string> hash = HexDecode(CutAtPlus(rest));
  const std::optional<std::string> key = Base64DecodeStrict(rest);  // may contain '+' itself
  if (!hash || !key || key->empty()) {
    return BadVkey("a vkey is <name>+<8 lowercase hex digits>+<base64 of type and key>");
  }
  if (key->front() != kEd25519Type) return BadVkey("the vkey is of another type than Ed25519");
  absl::StatusOr<PublicKey> point = PublicKey::FromEd25519(std::string_view(*key).substr(1));
  if (!point.ok()) return BadVkey(std::string(point.status().message()));
  STELE_ASSIGN_OR_RETURN(NoteVerifier verifier, Make(name, *std::move(point)));
  if (verifier.ToVkey() != vkey) return BadVkey("the id of the vkey is not that of its key");
  return verifier;
}

absl::StatusOr<NoteVerifier> NoteVerifier::Make(std::string_view name, PublicKey key) {
  if (!ValidKeyName(name)) return BadVkey("a key name is not empty, without white space and '+'");
  if (key.algorithm() != KeyAlgorithm::kEd25519) {
    return RefuseInput(reason::kBadKey, "", "a key that signs notes is Ed25519");
  }
  const uint32_t hash = BigEndian(KeyHashBytes(name, key.ed25519_raw()));
  return NoteVerifier{std::string(name), hash, std::move(key)};
}

std::string NoteVerifier::ToVkey() const {
  const std::string_view raw = key.ed25519_raw();
  return name + "+" + HexEncode(KeyHashBytes(name, raw)) + "+" +
         Base64Encode(std::string(1, kEd25519Type).append(raw));
}

}  // namespace stele
