// A hash reader over leaf hashes held in memory, which computes a node by the definition in RFC
// 6962 alone: the reference that the product's proofs are made from in these tests.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/merkle/hash_reader.h"

namespace stele::testing {

// Leaf i is the text "leaf <i>".
inline std::vector<Hash> TestLeafHashes(size_t count) {
  std::vector<Hash> leaves;
  for (size_t i = 0; i < count; ++i) leaves.push_back(LeafHash("leaf " + std::to_string(i)));
  return leaves;
}

// MTH(leaves[begin:end)), RFC 6962 §2.1 as written.
inline Hash TreeHash(const std::vector<Hash>& leaves, size_t begin, size_t end) {
  if (begin == end) return EmptyRoot();
  if (end - begin == 1) return leaves[begin];
  size_t k = 1;
  while (2 * k < end - begin) k *= 2;
  return NodeHash(TreeHash(leaves, begin, begin + k), TreeHash(leaves, begin + k, end));
}

class LeafReader final : public HashReader {
 public:
  explicit LeafReader(std::vector<Hash> leaves) : leaves_(std::move(leaves)) {}

  absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const override {
    std::vector<Hash> hashes;
    for (const NodeId& id : ids) {
      const size_t end = (id.index + 1) << id.level;
      if (end > leaves_.size()) return absl::NotFoundError("beyond the tree");
      auto [known, fresh] = known_.try_emplace({id.level, id.index});
      if (fresh) known->second = TreeHash(leaves_, id.index << id.level, end);
      hashes.push_back(known->second);
    }
    return hashes;
  }

 private:
  std::vector<Hash> leaves_;
  mutable std::map<std::pair<int, uint64_t>, Hash> known_;
};

}  // namespace stele::testing
