#include "core/merkle/hash.h"

#include <algorithm>
#include <array>

#include "core/crypto/sha256.h"

namespace stele {
namespace {
constexpr char kLeafPrefix = '\x00';
constexpr char kNodePrefix = '\x01';
}  // namespace

Hash LeafHash(std::string_view leaf) { return Sha256({{&kLeafPrefix, 1}, leaf}); }

Hash NodeHash(const Hash& left, const Hash& right) {
  // In one piece: a single update is measurably faster than three, and this is most of an audit.
  std::array<char, 1 + 2 * Hash::kBytes> node;
  node[0] = kNodePrefix;
  std::copy(left.bytes().begin(), left.bytes().end(), node.begin() + 1);
  std::copy(right.bytes().begin(), right.bytes().end(), node.begin() + 1 + Hash::kBytes);
  return Sha256(std::string_view(node.data(), node.size()));
}

Hash EmptyRoot() { return Sha256(std::string_view()); }

}  // namespace stele
