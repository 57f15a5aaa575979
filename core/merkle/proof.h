// RFC 6962 inclusion and consistency proofs: making and checking.
//
// Refusals: PROOF_INDEX (index or sizes out of range, or consistency from size 0, which does not
// exist), PROOF_SHAPE (too few or too many hashes, or one that has not 32 bytes), PROOF_ROOT (leads
// to another root).
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/strong_int.h"
#include "core/merkle/hash_reader.h"

namespace stele {

using Proof = std::vector<Hash>;  // lowest level first, as RFC 6962 writes it

// A proof as it is sent: each hash as bytes. PROOF_SHAPE if one has not 32.
absl::StatusOr<Proof> ProofFromBytes(absl::Span<const std::string> hashes);

absl::StatusOr<Proof> MakeInclusionProof(const HashReader& reader, EntryIndex index, TreeSize size);
absl::StatusOr<Proof> MakeConsistencyProof(const HashReader& reader, TreeSize from, TreeSize to);
absl::StatusOr<Hash> MakeRoot(const HashReader& reader, TreeSize size);

absl::Status VerifyInclusion(EntryIndex index, TreeSize size, const Hash& leaf_hash,
                             absl::Span<const Hash> proof, const Hash& root);
absl::Status VerifyConsistency(TreeSize from, TreeSize to, const Hash& from_root,
                               const Hash& to_root, absl::Span<const Hash> proof);

}  // namespace stele
