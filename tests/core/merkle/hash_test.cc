#include "core/merkle/hash.h"

#include <gtest/gtest.h>

#include <string>

#include "core/crypto/sha256.h"

namespace stele {
namespace {

TEST(Hash, EmptyTreeIsTheHashOfNothing) {
  EXPECT_EQ(EmptyRoot().ToHex(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Hash, LeavesAndNodesHaveTheirPrefix) {
  using std::string_literals::operator""s;
  EXPECT_EQ(LeafHash("").ToHex(),
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
  EXPECT_EQ(LeafHash("abc"), Sha256("\0abc"s));
  const Hash left = LeafHash("l"), right = LeafHash("r");
  EXPECT_EQ(NodeHash(left, right), Sha256("\1"s.append(left.bytes()).append(right.bytes())));
  EXPECT_NE(NodeHash(left, right), NodeHash(right, left));
  // A leaf that looks like a node is none.
  EXPECT_NE(NodeHash(left, right), LeafHash(std::string(left.bytes()).append(right.bytes())));
}

}  // namespace
}  // namespace stele
