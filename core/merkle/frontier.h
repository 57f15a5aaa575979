// The right edge of a tree: the roots of its perfect subtrees, at most 64 hashes whatever the size.
// Appending and the root need nothing else. Value type; one thread at a time.
#pragma once

#include <vector>

#include "core/base/strong_int.h"
#include "core/merkle/hash.h"

namespace stele {

class Frontier {
 public:
  Frontier() = default;  // the empty tree
  // From the perfect subtree roots of a tree of `size`, largest first; their number must be the
  // number of ones in `size` (checked: returns an empty frontier and false otherwise).
  static bool FromRoots(TreeSize size, std::vector<Hash> roots, Frontier& out);

  TreeSize size() const { return size_; }
  const std::vector<Hash>& roots() const { return roots_; }  // largest first
  void Append(const Hash& leaf_hash);
  Hash Root() const;

 private:
  TreeSize size_;
  std::vector<Hash> roots_;
};

}  // namespace stele
