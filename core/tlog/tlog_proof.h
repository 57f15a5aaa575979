// tlog-proof (C2SP tlog-proof): the text that proves offline that a leaf is in a log.
//
//   c2sp.org/tlog-proof@v1
//   extra YW55dGhpbmc=                 optional, not authenticated
//   index 33
//   qRLpxR57onYJ7O5tyRHv8bI+zbQS1dCkM933yIOyWF0=      the inclusion proof, lowest hash first
//                                      empty line
//   log.example/x                      the checkpoint note as it stands
//   …
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/proof.h"
#include "core/tlog/quorum.h"

namespace stele {

struct TlogProof {
  std::optional<std::string> extra;  // not empty if present
  EntryIndex index;
  Proof hashes;
  std::string checkpoint;  // a signed note
};

// Inverse of each other. PROOF_FORM for what is not this text, PROOF_SHAPE for a hash that has not
// 32 bytes, NOTE_FORM if what follows the hashes is no signed note.
absl::StatusOr<TlogProof> ParseTlogProof(std::string_view text);
std::string FormatTlogProof(const TlogProof& proof);

// Does the proof show that the leaf of this hash is in a log of the policy? What
// OpenCheckpoint(note, policy) refuses, then PROOF_INDEX, PROOF_SHAPE, PROOF_ROOT.
absl::StatusOr<TrustedCheckpoint> VerifyTlogProof(const TlogProof& proof, const Hash& leaf_hash,
                                                  const TrustPolicy& policy);

}  // namespace stele
