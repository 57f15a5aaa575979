#include "core/merkle/frontier.h"

#include <bit>
#include <utility>

namespace stele {

bool Frontier::FromRoots(TreeSize size, std::vector<Hash> roots, Frontier& out) {
  out = Frontier();
  if (roots.size() != static_cast<size_t>(std::popcount(size.value()))) return false;
  out.size_ = size;
  out.roots_ = std::move(roots);
  return true;
}

void Frontier::Append(const Hash& leaf_hash) {
  Hash carry = leaf_hash;
  // A trailing one of the size is a perfect subtree as large as what is carried: they join.
  for (uint64_t rest = size_.value(); (rest & 1) != 0; rest >>= 1) {
    carry = NodeHash(roots_.back(), carry);
    roots_.pop_back();
  }
  roots_.push_back(carry);
  ++size_;
}

Hash Frontier::Root() const {
  if (roots_.empty()) return EmptyRoot();
  Hash root = roots_.back();
  for (size_t i = roots_.size() - 1; i-- > 0;) root = NodeHash(roots_[i], root);
  return root;
}

}  // namespace stele
