// Checkpoint (C2SP tlog-checkpoint): origin, size, root as a signed note.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/hash.h"
#include "core/tlog/note.h"

namespace stele {

struct Checkpoint {
  std::string origin;
  TreeSize size;
  Hash root;
  std::vector<std::string> extensions;  // further lines, kept and not interpreted
  friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// 1 to 200 characters U+0021 to U+007E without '+' (rule 9).
bool ValidOrigin(std::string_view origin);

// The note's text: "<origin>\n<size>\n<base64 root>\n" and extension lines.
std::string FormatCheckpoint(const Checkpoint& checkpoint);
// CHECKPOINT_FORM if the text is no checkpoint (leading zeros, bad base64, empty lines, …).
absl::StatusOr<Checkpoint> ParseCheckpointText(std::string_view text);

struct SignedCheckpoint {
  Checkpoint checkpoint;
  std::vector<std::string> signers;  // vkeys of those of `verifiers` that signed
};

// Parses and verifies. NOTE_FORM, CHECKPOINT_FORM, CHECKPOINT_UNSIGNED, CHECKPOINT_SIGNATURE, and
// CHECKPOINT_ORIGIN if the origin is not the name of the keys that signed. The caller refuses the
// source (exit 4): none of these is ever retried.
absl::StatusOr<SignedCheckpoint> OpenCheckpoint(std::string_view note,
                                                const std::vector<NoteVerifier>& verifiers);

// The whole signed note. CHECKPOINT_ORIGIN if the origin is not allowed or not the verifier's name,
// CHECKPOINT_FORM if an extension line is empty or holds a newline or the size is over 2^53−1,
// INVALID_ARGUMENT if `key` is not the verifier's.
absl::StatusOr<std::string> SignCheckpoint(const Checkpoint& checkpoint,
                                           const NoteVerifier& verifier, const PrivateKey& key);

}  // namespace stele
