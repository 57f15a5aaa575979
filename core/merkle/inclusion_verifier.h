// Checks inclusion proofs of many leaves of one tree. Says what VerifyInclusion says, proof by
// proof, and is faster where proofs share the upper part of their paths: what the proof before
// hashed up there is compared, not hashed again. Pure; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "core/merkle/proof.h"

namespace stele {

class InclusionVerifier {
 public:
  InclusionVerifier(TreeSize size, const Hash& root) : size_(size), root_(root) {}

  // As VerifyInclusion: OK, or PROOF_INDEX, PROOF_SHAPE, PROOF_ROOT.
  absl::Status Verify(EntryIndex index, const Hash& leaf_hash, absl::Span<const Hash> proof);

 private:
  size_t MeetingLevel(uint64_t index, size_t inner, size_t levels) const;

  const TreeSize size_;
  const Hash root_;
  // Of the last proof that held: its leaf, its hashes, and the node that it climbs to before each
  // of them (the leaf hash first).
  std::optional<uint64_t> index_;
  Proof proof_;
  std::vector<Hash> path_, climbed_;
};

}  // namespace stele
