#include <utility>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/key_name.h"
#include "core/tlog/note.h"
#include "core/tlog/vkey.h"

namespace stele {
namespace {

absl::Status BadVkey(std::string_view message) {
  return RefuseInput(reason::kBadVkey, "", message);
}

Vkey VkeyOf(std::string_view name, const PublicKey& key) {
  return {std::string(name), kNoteEd25519, std::string(key.ed25519_raw())};
}

}  // namespace

absl::StatusOr<NoteVerifier> NoteVerifier::FromVkey(std::string_view vkey) {
  STELE_ASSIGN_OR_RETURN(const Vkey parsed, ParseVkey(vkey));
  if (parsed.type != kNoteEd25519) return BadVkey("the vkey is of another type than Ed25519");
  absl::StatusOr<PublicKey> point = PublicKey::FromEd25519(parsed.key);
  if (!point.ok()) return BadVkey(std::string(point.status().message()));
  return Make(parsed.name, *std::move(point));
}

absl::StatusOr<NoteVerifier> NoteVerifier::Make(std::string_view name, PublicKey key) {
  if (!ValidKeyName(name)) return BadVkey("a key name is not empty, without white space and '+'");
  if (key.algorithm() != KeyAlgorithm::kEd25519) {
    return RefuseInput(reason::kBadKey, "", "a key that signs notes is Ed25519");
  }
  const uint32_t hash = KeyHashOf(VkeyOf(name, key));
  return NoteVerifier{std::string(name), hash, std::move(key)};
}

std::string NoteVerifier::ToVkey() const { return FormatVkey(VkeyOf(name, key)); }

}  // namespace stele
