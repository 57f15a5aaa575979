#include "core/tlog/verified_tiles.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "core/base/refusal.h"
#include "core/merkle/proof.h"
#include "tests/core/merkle/leaf_reader.h"

namespace stele {
namespace {

// All tiles of a tree, as a source has them; a test changes what it likes.
class MapSource final : public TileSource {
 public:
  MapSource(const testing::LeafReader& reader, TreeSize size) {
    for (const TileId& id : TilesOf(size)) {
      std::string& bytes = tiles[id];
      for (uint64_t i = 0; i < id.width; ++i) {
        bytes += reader.ReadHashes({NodeId{8 * id.level, id.number * 256 + i}})->front().bytes();
      }
    }
  }
  absl::StatusOr<std::string> ReadTile(const TileId& id) const override {
    ++reads;
    const auto found = tiles.find(id);
    if (found == tiles.end()) return absl::NotFoundError(TilePath(id));
    return found->second;
  }

  std::map<TileId, std::string> tiles;
  mutable int reads = 0;
};

std::vector<NodeId> AllNodes(uint64_t size) {
  std::vector<NodeId> nodes;
  for (int level = 0; size >> level > 0; ++level) {
    for (uint64_t index = 0; index < size >> level; ++index) nodes.push_back({level, index});
  }
  return nodes;
}

TEST(VerifiedTiles, EveryNodeOfTreesAroundTheEdges) {
  for (const uint64_t size : {0, 1, 2, 255, 256, 257, 511, 512, 600, 65535, 65536, 65537}) {
    SCOPED_TRACE(size);
    const testing::LeafReader reader(testing::TestLeafHashes(size));
    const MapSource source(reader, TreeSize(size));
    const Hash root = *MakeRoot(reader, TreeSize(size));
    const auto tiles = VerifiedTiles::Open(source, TreeSize(size), root);
    ASSERT_TRUE(tiles.ok()) << tiles.status();
    const std::vector<NodeId> nodes = AllNodes(size);
    EXPECT_EQ(*(*tiles)->ReadHashes(nodes), *reader.ReadHashes(nodes));
    EXPECT_EQ((*tiles)->fetched(), TilesOf(TreeSize(size)).size()) << "each tile once";
    EXPECT_EQ(absl::StatusCode::kInvalidArgument,
              (*tiles)->ReadHashes({NodeId{0, size}}).status().code());
    EXPECT_FALSE(VerifiedTiles::Open(source, TreeSize(size), LeafHash("another root")).ok());
  }
}

TEST(VerifiedTiles, ProofsOfATreeOfThreeLevels) {
  constexpr uint64_t kSize = 66000;
  const testing::LeafReader reader(testing::TestLeafHashes(kSize));
  const MapSource source(reader, TreeSize(kSize));
  const Hash root = *MakeRoot(reader, TreeSize(kSize));
  const auto tiles = *VerifiedTiles::Open(source, TreeSize(kSize), root);
  for (const uint64_t index : {0, 255, 256, 40000, 65535, 65536, 65999}) {
    const absl::StatusOr<Proof> proof =
        MakeInclusionProof(*tiles, EntryIndex(index), TreeSize(kSize));
    ASSERT_TRUE(proof.ok()) << proof.status();
    const Hash leaf = reader.ReadHashes({NodeId{0, index}})->front();
    EXPECT_EQ(VerifyInclusion(EntryIndex(index), TreeSize(kSize), leaf, *proof, root),
              absl::OkStatus());
  }
  EXPECT_EQ(*MakeRoot(*tiles, TreeSize(1000)), *MakeRoot(reader, TreeSize(1000)));
}

// One bit of each hash of each tile: what hangs on it is refused, and named.
TEST(VerifiedTiles, EveryHashOfEveryTile) {
  constexpr uint64_t kSize = 700;
  const testing::LeafReader reader(testing::TestLeafHashes(kSize));
  MapSource source(reader, TreeSize(kSize));
  const Hash root = *MakeRoot(reader, TreeSize(kSize));
  const std::vector<NodeId> nodes = AllNodes(kSize);
  for (auto& [id, bytes] : source.tiles) {
    for (size_t at = 0; at < bytes.size(); at += Hash::kBytes) {
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
      const auto tiles = VerifiedTiles::Open(source, TreeSize(kSize), root);
      const absl::Status read = tiles.ok() ? (*tiles)->ReadHashes(nodes).status() : tiles.status();
      EXPECT_EQ(read.code(), absl::StatusCode::kDataLoss);
      EXPECT_EQ(ReasonOf(read), reason::kTileMismatch);
      EXPECT_NE(read.message().find(TilePath(id)), std::string_view::npos) << read;
      EXPECT_EQ(tiles.ok(), id.width == 256) << "unfinished tiles are proven at once";
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
    }
  }
}

TEST(VerifiedTiles, TilesOfOtherLengthsAndMissingOnes) {
  constexpr uint64_t kSize = 700;
  const testing::LeafReader reader(testing::TestLeafHashes(kSize));
  const MapSource whole(reader, TreeSize(kSize));
  const Hash root = *MakeRoot(reader, TreeSize(kSize));
  const std::vector<NodeId> nodes = AllNodes(kSize);
  for (const auto& [id, bytes] : whole.tiles) {
    for (const std::string& other :
         {bytes + std::string(32, '\0'), bytes.substr(32), bytes + "x", std::string()}) {
      MapSource source = whole;
      source.tiles[id] = other;
      const auto tiles = VerifiedTiles::Open(source, TreeSize(kSize), root);
      const absl::Status read = tiles.ok() ? (*tiles)->ReadHashes(nodes).status() : tiles.status();
      EXPECT_EQ(ReasonOf(read), reason::kTileMismatch) << TilePath(id) << " " << other.size();
    }
    MapSource source = whole;
    source.tiles.erase(id);
    const auto tiles = VerifiedTiles::Open(source, TreeSize(kSize), root);
    const absl::Status read = tiles.ok() ? (*tiles)->ReadHashes(nodes).status() : tiles.status();
    EXPECT_EQ(read.code(), absl::StatusCode::kNotFound) << TilePath(id);
  }
}

TEST(VerifiedTiles, AFullCacheIsProvenAgain) {
  constexpr uint64_t kSize = 256 * 5 + 3;
  const testing::LeafReader reader(testing::TestLeafHashes(kSize));
  MapSource source(reader, TreeSize(kSize));
  const Hash root = *MakeRoot(reader, TreeSize(kSize));
  const auto tiles = *VerifiedTiles::Open(source, TreeSize(kSize), root, 2);
  for (int round = 0; round < 3; ++round) {
    for (uint64_t tile = 0; tile < 5; ++tile) {
      const NodeId node{0, tile * 256 + 7};
      EXPECT_EQ(tiles->ReadHashes({node})->front(), reader.ReadHashes({node})->front());
    }
  }
  source.tiles[TileId{0, 0, 256}][0] ^= 1;
  EXPECT_EQ(tiles->ReadHashes({NodeId{0, 7}}).status().code(), absl::StatusCode::kDataLoss)
      << "it was dropped and is fetched again";
}

}  // namespace
}  // namespace stele
