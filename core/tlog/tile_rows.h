// One tile while it grows, with every subtree that is complete in it: each node is hashed once, and
// proofs read it without hashing. Value type, at most 16 KiB; one thread at a time.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/merkle/hash.h"

namespace stele {

class TileRows {
 public:
  void Append(const Hash& hash);  // at most 256 in all
  // The hashes of the tile itself.
  const std::vector<Hash>& bottom() const { return rows_[0]; }
  bool full() const { return rows_[0].size() == 256; }
  Hash Root() const;          // of a full tile
  std::string Bytes() const;  // as it is stored
  // The subtree of 2^height hashes (height 0 to 7) at this position, if it is complete.
  std::optional<Hash> At(int height, uint64_t position) const;

 private:
  std::array<std::vector<Hash>, 8> rows_;  // by height
};

}  // namespace stele
