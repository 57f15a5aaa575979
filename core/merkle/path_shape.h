// The way from a leaf to the root. For the files of this folder.
#pragma once

#include <bit>
#include <cstdint>

#include "core/merkle/hash.h"

namespace stele {

// The path from leaf `index` to the root of a tree of `size`: first `inner` levels where the leaf's
// subtree may be on either side, then `border` levels where the sibling is always on the left.
struct PathShape {
  int inner = 0;
  int border = 0;
};

inline PathShape ShapeOf(uint64_t index, uint64_t size) {
  const int inner = static_cast<int>(std::bit_width(index ^ (size - 1)));
  return {inner, inner == 64 ? 0 : std::popcount(index >> inner)};
}

// Climbs one level: `bit` says whether `hash` is the right child.
inline Hash Climb(const Hash& hash, const Hash& sibling, bool bit) {
  return bit ? NodeHash(sibling, hash) : NodeHash(hash, sibling);
}

}  // namespace stele
