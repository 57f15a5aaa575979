#include "core/tlog/tile.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/core/merkle/leaf_reader.h"

namespace stele {
namespace {

TEST(Tile, WidthsOfTheExampleInTheText) {
  // 70,000 entries: 273 full tiles and one of 112; one full and one of 17; one of 1.
  const TreeSize size(70000);
  EXPECT_EQ(TileWidth(0, 272, size), 256u);
  EXPECT_EQ(TileWidth(0, 273, size), 112u);
  EXPECT_EQ(TileWidth(0, 274, size), 0u);
  EXPECT_EQ(TileWidth(1, 0, size), 256u);
  EXPECT_EQ(TileWidth(1, 1, size), 17u);
  EXPECT_EQ(TileWidth(1, 2, size), 0u);
  EXPECT_EQ(TileWidth(2, 0, size), 1u);
  EXPECT_EQ(TileWidth(2, 1, size), 0u);
  EXPECT_EQ(TileWidth(3, 0, size), 0u);
  EXPECT_EQ(TilesOf(size).size(), 274u + 2 + 1);
}

TEST(Tile, WidthsAtTheEdges) {
  EXPECT_EQ(TileWidth(0, 0, TreeSize(0)), 0u);
  EXPECT_EQ(TileWidth(0, 0, TreeSize(1)), 1u);
  EXPECT_EQ(TileWidth(TileId::kEntries, 0, TreeSize(1)), 1u);
  EXPECT_EQ(TileWidth(TileId::kEntries, 1, TreeSize(300)), 44u);
  EXPECT_EQ(TileWidth(1, 0, TreeSize(255)), 0u);
  EXPECT_EQ(TileWidth(0, 0, TreeSize(256)), 256u);
  EXPECT_EQ(TileWidth(0, 1, TreeSize(256)), 0u);
  EXPECT_EQ(TileWidth(1, 0, TreeSize(256)), 1u);
  EXPECT_EQ(TileWidth(7, 0, TreeSize(~uint64_t{0})), 255u);
  EXPECT_EQ(TileWidth(8, 0, TreeSize(~uint64_t{0})), 0u);
  EXPECT_EQ(TileWidth(-2, 0, TreeSize(5)), 0u);
  EXPECT_TRUE(TilesOf(TreeSize(0)).empty());
  EXPECT_EQ(TilesOf(TreeSize(1)), (std::vector<TileId>{{0, 0, 1}}));
  EXPECT_EQ(TilesOf(TreeSize(256)), (std::vector<TileId>{{0, 0, 256}, {1, 0, 1}}));
}

// Every node of a tree of 600 is found in the tile named for it, and nowhere else.
TEST(Tile, HashesOfAllNodes) {
  constexpr size_t kSize = 600;
  const testing::LeafReader reader(testing::TestLeafHashes(kSize));
  std::map<TileId, std::string> tiles;
  for (const TileId& id : TilesOf(TreeSize(kSize))) {
    std::string& bytes = tiles[id];
    for (uint64_t i = 0; i < id.width; ++i) {
      const NodeId node{8 * id.level, id.number * 256 + i};
      bytes += reader.ReadHashes({node})->front().bytes();
    }
  }
  size_t nodes = 0;
  for (int level = 0; (kSize >> level) > 0; ++level) {
    for (uint64_t index = 0; index < kSize >> level; ++index) {
      const NodeId node{level, index};
      const Hash expected = reader.ReadHashes({node})->front();
      size_t found = 0;
      for (const auto& [id, bytes] : tiles) {
        const absl::StatusOr<Hash> hash = HashFromTile(id, bytes, node);
        if (!hash.ok()) continue;
        EXPECT_EQ(*hash, expected);
        const TileId named = TileForNode(node);
        // The root of a full tile is in that tile too.
        EXPECT_TRUE((id.level == named.level && id.number == named.number) ||
                    (level == 8 && id == TileId{0, index, 256}));
        ++found;
      }
      EXPECT_EQ(found, level == 8 ? 2u : 1u) << level << " " << index;
      ++nodes;
    }
  }
  EXPECT_GT(nodes, 1190u);
}

TEST(Tile, RefusesWhatTheTileDoesNotCover) {
  const std::string bytes(100 * Hash::kBytes, 'x');
  const TileId tile{1, 2, 100};
  EXPECT_TRUE(HashFromTile(tile, bytes, {8, 2 * 256 + 99}).ok());
  for (const NodeId& node :
       {NodeId{8, 2 * 256 + 100}, NodeId{8, 256}, NodeId{8, 3 * 256}, NodeId{7, 2 * 512},
        NodeId{9, 256 + 50}, NodeId{16, 2}, NodeId{17, 1}, NodeId{64, 0}, NodeId{-1, 0}}) {
    EXPECT_EQ(HashFromTile(tile, bytes, node).status().code(), absl::StatusCode::kInvalidArgument);
  }
  const NodeId inside{8, 2 * 256};
  EXPECT_FALSE(HashFromTile(tile, bytes.substr(1), inside).ok());
  EXPECT_FALSE(HashFromTile(tile, bytes + "x", inside).ok());
  EXPECT_FALSE(HashFromTile(tile, "", inside).ok());
  EXPECT_FALSE(HashFromTile({TileId::kEntries, 0, 100}, bytes, {0, 0}).ok());
}

}  // namespace
}  // namespace stele
