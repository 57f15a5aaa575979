#include "client/proven_tree.h"

#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {

absl::StatusOr<Hash> HashFrom(const std::string& bytes) {
  const std::optional<Hash> hash = Hash::FromBytes(bytes);
  if (!hash) return Untrusted("a hash that has not 32 bytes");
  return *hash;
}

absl::StatusOr<Proof> ProofFrom(const google::protobuf::RepeatedPtrField<std::string>& hashes) {
  Proof proof;
  for (const std::string& bytes : hashes) {
    STELE_ASSIGN_OR_RETURN(const Hash hash, HashFrom(bytes));
    proof.push_back(hash);
  }
  return proof;
}

absl::StatusOr<VerifiedTree> TreeFrom(CheckpointVerifier& verifier, TreeSize floor, TreeSize asked,
                                      const v1::ProvenTree& message) {
  VerifiedTree tree;
  STELE_ASSIGN_OR_RETURN(tree.head, verifier.Check(message.checkpoint(), floor));
  tree.note = message.checkpoint();
  tree.size = TreeSize(message.tree_size());
  const TreeSize expected = asked.value() == 0 ? tree.head.size : asked;
  if (tree.size != expected) {
    return Untrusted(Concat("the answer is about a tree of ", tree.size.value(),
                            " entries, not of ", expected.value()));
  }
  STELE_ASSIGN_OR_RETURN(tree.root, HashFrom(message.root()));
  STELE_ASSIGN_OR_RETURN(tree.to_head, ProofFrom(message.to_head()));
  const absl::Status hangs =
      VerifyConsistency(tree.size, tree.head.size, tree.root, tree.head.root, tree.to_head);
  if (!hangs.ok()) return Untrusted("the signed tree does not begin with the one answered", hangs);
  return tree;
}

}  // namespace stele::client
