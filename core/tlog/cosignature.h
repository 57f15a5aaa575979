// Timestamped Ed25519 cosignatures (C2SP tlog-cosignature): a witness says that, at a time, a
// checkpoint was the largest consistent one that it had seen of that log.
//
// On a checkpoint note it is a signature line whose value is uint64 seconds ‖ 64 bytes of Ed25519
// over
//
//   cosignature/v1
//   time 1679315147
//   <the note's text, its final newline included>
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/key.h"
#include "core/tlog/note.h"

namespace stele {

// Seconds since 1970-01-01T00:00:00Z, as a witness writes them; 0 to 2^63−1.
using CosignatureTime = StrongInt<struct CosignatureTimeTag, uint64_t>;

// A witness' key of note type 0x04.
struct CosignerVerifier {
  std::string name;
  uint32_t key_hash = 0;
  PublicKey key;

  // BAD_VKEY for anything but the C2SP form with a right id, type 0x04 and an allowed point.
  static absl::StatusOr<CosignerVerifier> FromVkey(std::string_view vkey);
  // BAD_VKEY if the name may not stand in a note; BAD_KEY if the key is not Ed25519.
  static absl::StatusOr<CosignerVerifier> Make(std::string_view name, PublicKey key);
  std::string ToVkey() const;
};

// Is this signature line, by name and key id, one of `cosigner`?
bool IsOf(const NoteSignature& line, const CosignerVerifier& cosigner);

// The time at which `cosigner` cosigned `text`. CHECKPOINT_SIGNATURE if the value has not 72 bytes,
// the time is over 2^63−1, or the signature does not verify. The line's name and id are not looked
// at.
absl::StatusOr<CosignatureTime> VerifyCosignature(std::string_view text, const NoteSignature& line,
                                                  const CosignerVerifier& cosigner);

// The signature line of `cosigner` on `text` (a checkpoint's, ended by a newline). INVALID_ARGUMENT
// if `key` is not the cosigner's or the time is over 2^63−1.
absl::StatusOr<NoteSignature> Cosign(std::string_view text, CosignatureTime time,
                                     const CosignerVerifier& cosigner, const PrivateKey& key);

}  // namespace stele
