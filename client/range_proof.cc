#include "client/range_proof.h"

#include <algorithm>
#include <utility>

#include "client/status.h"
#include "core/base/concat.h"

namespace stele::client {

absl::StatusOr<Frontier> EdgeBefore(EntryIndex index, TreeSize size, const Proof& proof) {
  // As RFC 9162 §2.1.3.2 walks up: which of the proof's hashes stand on the left?
  std::vector<Hash> left;
  uint64_t node = index.value();
  uint64_t last = size.value() - 1;
  for (const Hash& hash : proof) {
    if (node % 2 == 1 || node == last) {
      left.push_back(hash);
      while (node % 2 == 0 && node != 0) {
        node /= 2;
        last /= 2;
      }
    }
    node /= 2;
    last /= 2;
  }
  std::reverse(left.begin(), left.end());
  Frontier edge;
  if (Frontier::FromRoots(TreeSize(index.value()), std::move(left), edge)) return edge;
  return Untrusted(Concat("the proof of entry ", index.value(), " has the wrong shape"));
}

absl::Status CheckRange(Frontier& edge, const std::vector<Hash>& leaf_hashes,
                        const Proof& last_proof, const Checkpoint& checkpoint) {
  Frontier grown = edge;
  for (size_t i = 0; i + 1 < leaf_hashes.size(); ++i) grown.Append(leaf_hashes[i]);
  const EntryIndex last(grown.size().value());
  const absl::Status included =
      VerifyInclusion(last, checkpoint.size, leaf_hashes.back(), last_proof, checkpoint.root);
  if (!included.ok()) {
    return Untrusted(Concat("entry ", last.value(), " is not proven to be in the log"), included);
  }
  absl::StatusOr<Frontier> proven = EdgeBefore(last, checkpoint.size, last_proof);
  if (!proven.ok()) return proven.status();
  if (proven->roots() != grown.roots()) {
    return Untrusted(Concat("the entries ", edge.size().value(), " to ", last.value(),
                            " are not those that the checkpoint covers"));
  }
  grown.Append(leaf_hashes.back());
  edge = std::move(grown);
  return absl::OkStatus();
}

}  // namespace stele::client
