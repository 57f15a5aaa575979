// Signed note (C2SP signed-note): a text, a blank line, and signature lines
// `— <key name> base64(4-byte key id ‖ signature)`; and vkeys, the text form of a verifier key:
// `<name>+<hash hex>+<base64(type ‖ key)>`.
//
//   log.example/x          <- text, ends in a newline
//   70
//   PXAhZ+9S…
//                          <- empty line
//   — log.example/x igveL1Te…
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/crypto/key.h"

namespace stele {

// An Ed25519 verifier key of note type 0x01.
struct NoteVerifier {
  std::string name;
  uint32_t key_hash = 0;  // first 4 bytes of SHA-256(name ‖ "\n" ‖ 0x01 ‖ key), big endian
  PublicKey key;

  // BAD_VKEY for anything but the C2SP form with a right hash, type 0x01 and an allowed point.
  static absl::StatusOr<NoteVerifier> FromVkey(std::string_view vkey);
  // BAD_VKEY if the name is empty or has white space or '+'; BAD_KEY if the key is not Ed25519.
  static absl::StatusOr<NoteVerifier> Make(std::string_view name, PublicKey key);
  std::string ToVkey() const;
};

struct NoteSignature {
  std::string name;
  uint32_t key_hash = 0;
  std::string signature;  // without the 4-byte key hash
};

struct Note {
  std::string text;                       // with its final newline
  std::vector<NoteSignature> signatures;  // at least one, as they stand, unknown ones included
};

// NOTE_FORM for anything that is not a signed note (no blank line, bad UTF-8, control characters,
// no signature line, bad base64, more than 100 signatures, over 1 MiB).
absl::StatusOr<Note> ParseNote(std::string_view bytes);
std::string FormatNote(const Note& note);

// Signs `text` (ends in a newline) as `verifier.name`; gives the signature line's value. NOTE_FORM
// if the text can be no note's, INVALID_ARGUMENT if `key` is not the verifier's.
absl::StatusOr<NoteSignature> SignNote(std::string_view text, const NoteVerifier& verifier,
                                       const PrivateKey& key);

// The verifiers that signed, in the order given. A signature line of an unknown name and hash is
// ignored; one of a known verifier that does not verify is CHECKPOINT_SIGNATURE; none at all is
// CHECKPOINT_UNSIGNED. A second line of the same verifier is judged like the first.
absl::StatusOr<std::vector<const NoteVerifier*>> VerifyNote(
    const Note& note, const std::vector<NoteVerifier>& verifiers);

}  // namespace stele
