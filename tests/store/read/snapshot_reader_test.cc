// What a reader answers when the rows below it are damaged, and proofs at every size.
#include "store/read/snapshot_reader.h"

#include <gtest/gtest.h>

#include "core/crypto/sha256.h"
#include "store/backend/memory_backend.h"
#include "store/read/stored_tile.h"
#include "tests/support/store/statements.h"

namespace stele::store {
namespace {

// A log of plain leaves: readers do not look into them.
class SnapshotReaderTest : public ::testing::Test {
 protected:
  void Append(size_t count) {
    edge_.ForgetFinished();
    CommitPlan plan;
    plan.base_size = head_.size;
    plan.base_root = head_.root;
    for (size_t i = 0; i < count; ++i) {
      const std::string leaf = "leaf " + std::to_string(edge_.size().value());
      plan.entries.push_back({EntryIndex{edge_.size().value()}, leaf, LeafHash(leaf)});
      edge_.Append(LeafHash(leaf));
    }
    for (const auto& tile : edge_.finished()) {
      plan.tiles.push_back({tile.id.level, tile.id.number, tile.bytes});
    }
    for (size_t level = 1; level < edge_.levels(); ++level) {
      TileRow row{static_cast<int>(level), (edge_.size().value() >> (8 * level)) / 256, {}};
      for (const Hash& hash : edge_.unfinished(level)) row.bytes.append(hash.bytes());
      if (!row.bytes.empty()) plan.tiles.push_back(std::move(row));
    }
    head_ = {testing::kOrigin, edge_.size(), edge_.Root(), TimeMs{1}, "a checkpoint"};
    plan.head = head_;
    Commit(std::move(plan));
  }
  virtual void Commit(CommitPlan plan) {
    ASSERT_EQ(backend_.Commit(std::move(plan)), absl::OkStatus());
  }

  std::shared_ptr<const SnapshotReader> Read(size_t cached_tiles = 256) {
    auto reader = SnapshotReader::Make(*backend_.GetSnapshot(), std::make_shared<const KeyRing>(),
                                       std::make_shared<const LogEvents>(),
                                       std::make_shared<const TreeEdge>(edge_),
                                       std::make_shared<TileCache>(cached_tiles));
    EXPECT_TRUE(reader.ok()) << reader.status();
    return *reader;
  }
  static void CheckProof(const SnapshotReader& reader, uint64_t index) {
    const auto proof = reader.Inclusion(EntryIndex{index});
    ASSERT_TRUE(proof.ok()) << proof.status();
    ASSERT_EQ(
        VerifyInclusion(EntryIndex{index}, reader.head().size,
                        LeafHash("leaf " + std::to_string(index)), *proof, reader.head().root),
        absl::OkStatus())
        << index << " of " << reader.head().size.value();
  }

  MemoryBackend backend_;
  TreeEdge edge_;
  Head head_{testing::kOrigin, TreeSize{0}, EmptyRoot(), TimeMs{0}, ""};
};

TEST_F(SnapshotReaderTest, EveryProofAtEverySmallSize) {
  for (size_t size = 1; size <= 70; ++size) {
    Append(1);
    const auto reader = Read();
    for (uint64_t index = 0; index < size; ++index) CheckProof(*reader, index);
  }
}

TEST_F(SnapshotReaderTest, ProofsAroundFullTilesOfTwoLevels) {
  uint64_t size = 0;
  for (uint64_t next : {255u, 256u, 257u, 512u, 65535u, 65536u, 65537u, 65900u}) {
    Append(next - size);
    size = next;
    const auto cached = Read();
    const auto uncached = Read(0);
    for (uint64_t index : {uint64_t{0}, uint64_t{1}, size / 3, size / 2, size - 2, size - 1}) {
      CheckProof(*cached, index);
      CheckProof(*uncached, index);
    }
    EXPECT_TRUE(absl::IsNotFound(cached->Inclusion(EntryIndex{size}).status()));
  }
}

TEST_F(SnapshotReaderTest, EveryEarlierTree) {
  std::vector<Hash> roots = {EmptyRoot()};
  for (size_t size = 1; size <= 70; ++size) {
    Append(1);
    roots.push_back(head_.root);
  }
  const auto reader = Read();
  EXPECT_EQ(*reader->RootAt(TreeSize{0}), EmptyRoot());
  for (uint64_t size = 1; size <= 70; ++size) {
    EXPECT_EQ(*reader->RootAt(TreeSize{size}), roots[size]);
    for (uint64_t index = 0; index < size; ++index) {
      const auto proof = reader->InclusionAt(EntryIndex{index}, TreeSize{size});
      ASSERT_TRUE(proof.ok()) << proof.status();
      ASSERT_EQ(VerifyInclusion(EntryIndex{index}, TreeSize{size},
                                LeafHash("leaf " + std::to_string(index)), *proof, roots[size]),
                absl::OkStatus());
    }
    for (uint64_t from = 1; from <= size; ++from) {
      const auto proof = reader->Consistency(TreeSize{from}, TreeSize{size});
      ASSERT_TRUE(proof.ok()) << proof.status();
      ASSERT_EQ(VerifyConsistency(TreeSize{from}, TreeSize{size}, roots[from], roots[size], *proof),
                absl::OkStatus());
    }
  }
}

TEST_F(SnapshotReaderTest, EarlierTreesAroundFullTiles) {
  std::vector<std::pair<uint64_t, Hash>> trees;
  for (uint64_t next : {1u, 255u, 256u, 257u, 512u, 65535u, 65536u, 65537u, 65900u}) {
    Append(next - head_.size.value());
    trees.emplace_back(next, head_.root);
  }
  const auto reader = Read();
  for (const auto& [size, root] : trees) {
    EXPECT_EQ(*reader->RootAt(TreeSize{size}), root) << size;
    const auto last = reader->InclusionAt(EntryIndex{size - 1}, TreeSize{size});
    ASSERT_TRUE(last.ok()) << last.status();
    EXPECT_EQ(VerifyInclusion(EntryIndex{size - 1}, TreeSize{size},
                              LeafHash("leaf " + std::to_string(size - 1)), *last, root),
              absl::OkStatus());
    for (const auto& [larger, larger_root] : trees) {
      if (larger < size) continue;
      const auto proof = reader->Consistency(TreeSize{size}, TreeSize{larger});
      ASSERT_TRUE(proof.ok()) << proof.status();
      EXPECT_EQ(VerifyConsistency(TreeSize{size}, TreeSize{larger}, root, larger_root, *proof),
                absl::OkStatus());
    }
  }
}

TEST_F(SnapshotReaderTest, TreesThatAreNot) {
  Append(10);
  const auto reader = Read();
  EXPECT_TRUE(absl::IsOutOfRange(reader->RootAt(TreeSize{11}).status()));
  EXPECT_TRUE(absl::IsOutOfRange(reader->InclusionAt(EntryIndex{3}, TreeSize{11}).status()));
  EXPECT_TRUE(absl::IsOutOfRange(reader->Consistency(TreeSize{3}, TreeSize{11}).status()));
  EXPECT_TRUE(absl::IsNotFound(reader->InclusionAt(EntryIndex{3}, TreeSize{3}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(reader->Consistency(TreeSize{0}, TreeSize{10}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(reader->Consistency(TreeSize{4}, TreeSize{3}).status()));
}

TEST_F(SnapshotReaderTest, TilesAreThoseThatTheHashesMake) {
  Append(600);
  const auto reader = Read();
  for (const TileId& id : TilesOf(TreeSize{600})) {
    const auto tile = reader->Tile(id);
    ASSERT_TRUE(tile.ok()) << TilePath(id) << tile.status();
    EXPECT_EQ(tile->size(), id.width * Hash::kBytes);
    EXPECT_EQ(*tile, *StoredTile(reader->snapshot(), TreeSize{600}, id.level, id.number));
  }
  // Narrower tiles are prefixes, wider ones do not exist.
  const std::string full = *reader->Tile({0, 1, 256});
  for (uint32_t width : {1u, 100u, 255u}) {
    EXPECT_EQ(*reader->Tile({0, 1, width}), full.substr(0, width * Hash::kBytes));
  }
  EXPECT_TRUE(absl::IsNotFound(reader->Tile({0, 2, 89}).status()));
  EXPECT_TRUE(absl::IsNotFound(reader->Tile({0, 2, 0}).status()));
  EXPECT_TRUE(absl::IsNotFound(reader->Tile({1, 0, 3}).status()));
  EXPECT_TRUE(absl::IsNotFound(reader->Tile({0, uint64_t{1} << 60, 1}).status()));
}

TEST_F(SnapshotReaderTest, RangesAreCutAtTheHead) {
  Append(10);
  const auto reader = Read();
  std::vector<uint64_t> seen;
  const auto visit = [&](const EntryRow& row) {
    seen.push_back(row.index.value());
    return true;
  };
  EXPECT_TRUE(reader->VisitEntries(EntryIndex{7}, EntryIndex{1000}, visit).ok());
  EXPECT_EQ(seen, (std::vector<uint64_t>{7, 8, 9}));
  EXPECT_TRUE(reader->VisitEntries(EntryIndex{10}, EntryIndex{20}, visit).ok());
  EXPECT_TRUE(reader->VisitEntries(EntryIndex{5}, EntryIndex{5}, visit).ok());
  EXPECT_EQ(seen.size(), 3u);
}

class DamagedTest : public SnapshotReaderTest {
 protected:
  void Commit(CommitPlan plan) override {
    plan.content = {{Sha256("right"), "wrong"}, {Sha256("good"), "good"}};
    plan.entries.back().leaf = "another leaf";
    SnapshotReaderTest::Commit(std::move(plan));
  }
};

TEST_F(DamagedTest, WrongBytesAreDataLossAndNeverAnswered) {
  Append(3);
  const auto reader = Read();
  EXPECT_TRUE(absl::IsDataLoss(reader->Content(Sha256("right")).status()));
  EXPECT_EQ(*reader->Content(Sha256("good")), "good");
  EXPECT_TRUE(absl::IsNotFound(reader->Content(Sha256("absent")).status()));
  EXPECT_TRUE(absl::IsDataLoss(reader->Entry(EntryIndex{2}).status()));
  EXPECT_TRUE(reader->Entry(EntryIndex{1}).ok());
  size_t seen = 0;
  const absl::Status visited = reader->VisitEntries(EntryIndex{0}, EntryIndex{3}, [&](EntryRow) {
    ++seen;
    return true;
  });
  EXPECT_TRUE(absl::IsDataLoss(visited)) << visited;
  EXPECT_EQ(seen, 2u);
  EXPECT_TRUE(absl::IsDataLoss(reader->Tile({TileId::kEntries, 0, 3}).status()));
}

class MissingTileTest : public SnapshotReaderTest {
 protected:
  void Commit(CommitPlan plan) override {
    plan.tiles.clear();
    SnapshotReaderTest::Commit(std::move(plan));
  }
};

TEST_F(MissingTileTest, AMissingTileIsDataLoss) {
  Append(300);
  edge_.ForgetFinished();
  const auto reader = Read();
  EXPECT_TRUE(absl::IsDataLoss(reader->Tile({0, 0, 256}).status()));
  EXPECT_TRUE(absl::IsDataLoss(reader->Inclusion(EntryIndex{3}).status()));
  EXPECT_TRUE(reader->Tile({0, 1, 44}).ok());
}

}  // namespace
}  // namespace stele::store
