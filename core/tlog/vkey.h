// A verifier key as text (C2SP signed-note): `<name>+<key id, 8 hex digits>+<base64(type ‖ key)>`,
// the key id being the first 4 bytes of SHA-256(name ‖ "\n" ‖ type ‖ key), big endian. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace stele {

// Signature types of C2SP signed-note that Stele meets.
inline constexpr char kNoteEd25519 = '\x01';         // a log's signature
inline constexpr char kCosignatureEd25519 = '\x04';  // a witness' timestamped cosignature
inline constexpr char kCosignatureMlDsa44 = '\x06';  // the same by ML-DSA-44: read, never verified

struct Vkey {
  std::string name;
  char type = kNoteEd25519;
  std::string key;  // the key material as it stands, not judged here
  friend bool operator==(const Vkey&, const Vkey&) = default;
};

uint32_t KeyHashOf(const Vkey& vkey);

// Inverse of each other. BAD_VKEY for anything but the form above with a right id and a name that
// may stand in a note.
absl::StatusOr<Vkey> ParseVkey(std::string_view text);
std::string FormatVkey(const Vkey& vkey);

}  // namespace stele
