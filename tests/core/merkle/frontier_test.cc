#include "core/merkle/frontier.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/core/merkle/leaf_reader.h"

namespace stele {
namespace {

TEST(Frontier, RootIsTheTreeHashAtEverySize) {
  const std::vector<Hash> leaves = testing::TestLeafHashes(300);
  Frontier frontier;
  for (size_t size = 0;; ++size) {
    ASSERT_EQ(frontier.size(), TreeSize(size));
    ASSERT_EQ(frontier.Root(), testing::TreeHash(leaves, 0, size)) << size;
    ASSERT_EQ(frontier.roots().size(), static_cast<size_t>(std::popcount(size)));
    if (size == leaves.size()) break;
    frontier.Append(leaves[size]);
  }
}

TEST(Frontier, GoesOnFromItsRoots) {
  const std::vector<Hash> leaves = testing::TestLeafHashes(70);
  Frontier whole;
  for (size_t cut = 0; cut < leaves.size(); ++cut) {
    Frontier part;
    ASSERT_TRUE(Frontier::FromRoots(whole.size(), whole.roots(), part));
    for (size_t i = cut; i < leaves.size(); ++i) part.Append(leaves[i]);
    EXPECT_EQ(part.Root(), testing::TreeHash(leaves, 0, leaves.size())) << cut;
    whole.Append(leaves[cut]);
  }
}

TEST(Frontier, RefusesAnotherNumberOfRoots) {
  const Hash hash = LeafHash("x");
  Frontier out;
  out.Append(hash);
  EXPECT_FALSE(Frontier::FromRoots(TreeSize(3), {hash}, out));
  EXPECT_EQ(out.size(), TreeSize(0));
  EXPECT_EQ(out.Root(), EmptyRoot());
  EXPECT_FALSE(Frontier::FromRoots(TreeSize(0), {hash}, out));
  EXPECT_FALSE(Frontier::FromRoots(TreeSize(1), {}, out));
  EXPECT_TRUE(Frontier::FromRoots(TreeSize(0), {}, out));
  EXPECT_TRUE(Frontier::FromRoots(TreeSize(uint64_t{1} << 63), {hash}, out));
  EXPECT_EQ(out.Root(), hash);
}

}  // namespace
}  // namespace stele
