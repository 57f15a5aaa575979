#include "core/tlog/tree_edge.h"

#include <gtest/gtest.h>

#include <random>

#include "core/merkle/proof.h"
#include "tests/core/merkle/leaf_reader.h"

namespace stele {
namespace {

// Sizes where something begins, ends or carries over.
bool Interesting(uint64_t size) {
  if (size <= 600 || size % 4099 == 0) return true;
  const uint64_t rest = size % 256;
  return size >= 65500 && size <= 65600 ? true : rest <= 1 || rest == 255;
}

std::string Bytes(const std::vector<Hash>& hashes) {
  std::string bytes;
  for (const Hash& hash : hashes) bytes += hash.bytes();
  return bytes;
}

std::vector<std::string> UnfinishedTiles(const TreeEdge& edge) {
  std::vector<std::string> tiles;
  for (size_t level = 0; level < edge.levels(); ++level) {
    tiles.push_back(Bytes(edge.unfinished(level)));
  }
  return tiles;
}

// Appends 70,000 leaves; at interesting sizes the root agrees with the frontier, the widths follow
// from the size, and an edge rebuilt from the unfinished tiles is the same.
TEST(TreeEdge, AgreesWithTheFrontier) {
  TreeEdge edge;
  Frontier frontier;
  size_t compared = 0, finished = 0;
  for (uint64_t size = 0;; ++size) {
    if (Interesting(size)) {
      ASSERT_EQ(edge.Root(), frontier.Root()) << size;
      const std::vector<std::string> tiles = UnfinishedTiles(edge);
      for (size_t level = 0; level < tiles.size(); ++level) {
        ASSERT_EQ(tiles[level].size() / 32, (size >> (8 * level)) % 256);
      }
      absl::StatusOr<TreeEdge> again = TreeEdge::FromTiles(TreeSize(size), tiles);
      ASSERT_TRUE(again.ok()) << size << " " << again.status();
      ASSERT_EQ(again->Root(), frontier.Root()) << size;
      ASSERT_EQ(again->size(), edge.size());
      Frontier further = frontier;
      for (int i = 0; i < 3; ++i) {
        const Hash leaf = LeafHash("after " + std::to_string(i));
        again->Append(leaf);
        further.Append(leaf);
      }
      ASSERT_EQ(again->Root(), further.Root()) << size;
      ++compared;
    }
    finished += edge.finished().size();
    edge.ForgetFinished();
    if (size == 70000) break;
    const Hash leaf = LeafHash(std::to_string(size));
    edge.Append(leaf);
    frontier.Append(leaf);
  }
  EXPECT_GT(compared, 1500u);
  EXPECT_EQ(finished, 273u + 1);
  EXPECT_EQ(edge.levels(), 3u);
}

TEST(TreeEdge, FinishedTilesAreThoseOfTheTree) {
  constexpr uint64_t kSize = 65536 + 300;
  TreeEdge edge;
  const std::vector<Hash> leaves = testing::TestLeafHashes(kSize);
  for (const Hash& leaf : leaves) edge.Append(leaf);
  std::map<TileId, std::string> finished;
  for (const TreeEdge::FinishedTile& tile : edge.finished()) finished[tile.id] = tile.bytes;
  EXPECT_EQ(finished.size(), edge.finished().size());
  size_t full = 0;
  for (const TileId& id : TilesOf(TreeSize(kSize))) {
    if (id.width < 256) {
      EXPECT_EQ(edge.unfinished(static_cast<size_t>(id.level)).size(), id.width);
      continue;
    }
    ++full;
    ASSERT_EQ(finished.count(id), 1u) << TilePath(id);
    ASSERT_EQ(finished[id].size(), 256u * 32);
    if (id.level == 0) {
      EXPECT_EQ(finished[id].substr(0, 32), leaves[id.number * 256].bytes());
    }
  }
  EXPECT_EQ(full, finished.size());
  // A hash of a higher tile is the root of the full tile below it.
  for (uint64_t i : {0u, 1u, 17u, 255u}) {
    EXPECT_EQ(*HashFromTile({1, 0, 256}, finished[{1, 0, 256}], {8, i}),
              *HashFromTile({0, i, 256}, finished[{0, i, 256}], {8, i}));
  }
}

// After each ForgetFinished every entry appended since is proved, whatever tiles it crossed.
TEST(TreeEdge, ProvesFreshLeaves) {
  std::mt19937 random(7);
  TreeEdge edge;
  uint64_t proofs = 0;
  const std::vector<Hash> leaves = testing::TestLeafHashes(67000);
  for (uint64_t begin = 0; begin < leaves.size();) {
    // Small batches everywhere, large ones now and then, and around the carry to level 2.
    uint64_t count = 1 + random() % (random() % 8 == 0 ? 1500 : 40);
    if (begin < 60000 && begin > 3000) count = 5000;
    const uint64_t end = std::min<uint64_t>(begin + count, leaves.size());
    edge.ForgetFinished();
    for (uint64_t i = begin; i < end; ++i) edge.Append(leaves[i]);
    const Hash root = edge.Root();
    for (uint64_t i = begin; i < end; i += 1 + random() % 3) {
      const auto proof = MakeInclusionProof(edge, EntryIndex(i), edge.size());
      ASSERT_TRUE(proof.ok()) << i << " of " << end << " " << proof.status();
      ASSERT_TRUE(VerifyInclusion(EntryIndex(i), edge.size(), leaves[i], *proof, root).ok());
      ++proofs;
    }
    begin = end;
  }
  EXPECT_GT(proofs, 20000u);
}

TEST(TreeEdge, WhatItDoesNotHoldIsNotFound) {
  TreeEdge edge;
  for (int i = 0; i < 1000; ++i) edge.Append(LeafHash(std::to_string(i)));
  EXPECT_TRUE(edge.ReadHashes({NodeId{0, 5}}).ok());
  edge.ForgetFinished();
  for (const NodeId& node :
       {NodeId{0, 5}, NodeId{0, 1000}, NodeId{8, 3}, NodeId{16, 0}, NodeId{63, 0}, NodeId{7, 7}}) {
    EXPECT_EQ(edge.ReadHashes({node}).status().code(), absl::StatusCode::kNotFound)
        << node.level << " " << node.index;
  }
  EXPECT_TRUE(edge.ReadHashes({NodeId{0, 999}, NodeId{8, 2}, NodeId{9, 0}, NodeId{6, 14}}).ok());
}

TEST(TreeEdge, TheEmptyTree) {
  const TreeEdge edge;
  EXPECT_EQ(edge.Root(), EmptyRoot());
  EXPECT_EQ(edge.levels(), 0u);
  EXPECT_TRUE(TreeEdge::FromTiles(TreeSize(0), {}).ok());
  EXPECT_FALSE(TreeEdge::FromTiles(TreeSize(0), {""}).ok());
  EXPECT_EQ(edge.ReadHashes({NodeId{0, 0}}).status().code(), absl::StatusCode::kNotFound);
}

TEST(TreeEdge, RefusesTilesThatDoNotFollowFromTheSize) {
  const std::string hash(32, 'h');
  EXPECT_TRUE(TreeEdge::FromTiles(TreeSize(256), {"", hash}).ok());
  EXPECT_TRUE(TreeEdge::FromTiles(TreeSize(65536), {"", "", hash}).ok());
  for (const std::vector<std::string>& tiles : {std::vector<std::string>{},
                                                {""},
                                                {hash, hash},
                                                {"", ""},
                                                {"", hash + hash},
                                                {"", hash.substr(1)},
                                                {"", hash + "x"},
                                                {"", hash, ""}}) {
    EXPECT_EQ(TreeEdge::FromTiles(TreeSize(256), tiles).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace stele
