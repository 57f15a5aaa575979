// Entries of a range proven together: two inclusion proofs are enough. Pure.
//
// The proof of the entry at `begin` brings, on its left, the roots of the perfect subtrees before
// it; appending the range's leaves to them must give the same roots as stand on the left in the
// proof of the range's last entry, which leads to the signed root.
#pragma once

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/merkle/frontier.h"
#include "core/merkle/proof.h"
#include "core/tlog/checkpoint.h"

namespace stele::client {

// The left edge before `index`, out of an inclusion proof of it in a tree of `size`. The proof must
// have been verified. Exactly the roots of Frontier for a tree of `index` entries.
absl::StatusOr<Frontier> EdgeBefore(EntryIndex index, TreeSize size, const Proof& proof);

// Are `leaf_hashes` the entries from edge.size() on, in the tree of `checkpoint`? `last_proof` is
// the inclusion proof of the last of them (there is at least one). On success `edge` has them
// appended. DATA_LOSS if not.
absl::Status CheckRange(Frontier& edge, const std::vector<Hash>& leaf_hashes,
                        const Proof& last_proof, const Checkpoint& checkpoint);

}  // namespace stele::client
