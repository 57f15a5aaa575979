// The contract of index_store.h, run against every engine.
#include "store/index/index_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "core/base/concat.h"
#include "core/crypto/sha256.h"
#include "store/backend/rocksdb/rocksdb_index.h"
#include "store/index/memory_index.h"
#include "tests/support/store/temp_dir.h"

namespace stele::store {
namespace {

using stele::testing::TempDir;

IndexPosition At(uint64_t size) {
  return {
      .origin = "example.org/log", .applied = TreeSize(size), .root = Sha256(std::to_string(size))};
}

class IndexContract : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "memory") {
      index_ = MakeMemoryIndex();
    } else {
      auto made = OpenRocksDbIndex(
          {.dir = dir_.path() / "index", .create = true, .write_buffer_bytes = 64 << 10});
      ASSERT_TRUE(made.ok()) << made.status();
      index_ = *std::move(made);
    }
  }
  std::shared_ptr<const IndexSnapshot> Take() const { return *index_->GetSnapshot(); }
  static std::vector<std::string> Keys(const IndexSnapshot& snapshot, std::string_view prefix) {
    std::vector<std::string> keys;
    EXPECT_EQ(VisitPrefix(snapshot, prefix,
                          [&](std::string_view key, std::string_view) {
                            keys.emplace_back(key);
                            return absl::OkStatus();
                          }),
              absl::OkStatus());
    return keys;
  }

  TempDir dir_;
  std::unique_ptr<IndexStore> index_;
};

TEST_P(IndexContract, ANewOneIsEmpty) {
  const auto snapshot = Take();
  EXPECT_EQ(snapshot->position(), IndexPosition());
  EXPECT_EQ(*snapshot->Get("A"), std::nullopt);
  const auto cursor = snapshot->NewCursor();
  cursor->Seek("A");
  EXPECT_FALSE(cursor->valid());
  EXPECT_EQ(cursor->status(), absl::OkStatus());
}

TEST_P(IndexContract, RowsAndPositionAreWritten) {
  ASSERT_EQ(index_->Write({{"Ka", "1"}, {"Kb", ""}, {std::string("K\0", 2), "zero"}}, At(5)),
            absl::OkStatus());
  const auto snapshot = Take();
  EXPECT_EQ(snapshot->position(), At(5));
  EXPECT_EQ(*snapshot->Get("Ka"), "1");
  EXPECT_EQ(*snapshot->Get("Kb"), "");
  EXPECT_EQ(*snapshot->Get(std::string_view("K\0", 2)), "zero");
  EXPECT_EQ(*snapshot->Get("K"), std::nullopt);
  EXPECT_EQ(Keys(*snapshot, "K"), (std::vector<std::string>{std::string("K\0", 2), "Ka", "Kb"}));
}

TEST_P(IndexContract, ManyAreReadAtOnce) {
  IndexRows rows;
  for (int i = 0; i < 2000; i += 2) rows[Concat("K", 10'000 + i)] = Concat("value ", i);
  ASSERT_EQ(index_->Write(rows, At(1)), absl::OkStatus());
  const auto snapshot = Take();
  ASSERT_EQ(index_->Write({{"K10001", "later"}}, At(2)), absl::OkStatus());
  EXPECT_TRUE(snapshot->GetMany({})->empty());
  // In the order that was asked for, absent ones and those that come twice among them.
  std::vector<std::string> keys;
  for (int i = 0; i < 4000; ++i) keys.push_back(Concat("K", 10'000 + i * 7 % 2000));
  const auto values = snapshot->GetMany(keys);
  ASSERT_TRUE(values.ok()) << values.status();
  ASSERT_EQ(values->size(), keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ((*values)[i], *snapshot->Get(keys[i])) << keys[i];
    EXPECT_EQ((*values)[i].has_value(), i * 7 % 2 == 0) << keys[i];
  }
}

TEST_P(IndexContract, KeysSortBytewise) {
  IndexRows rows;
  for (int byte = 0; byte < 256; ++byte) rows[std::string("K") + static_cast<char>(byte)] = "";
  ASSERT_EQ(index_->Write(rows, At(1)), absl::OkStatus());
  const std::vector<std::string> keys = Keys(*Take(), "K");
  ASSERT_EQ(keys.size(), 256u);
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(static_cast<unsigned char>(keys[static_cast<size_t>(byte)].back()), byte);
  }
}

TEST_P(IndexContract, ACursorSeeksAndGoesOn) {
  ASSERT_EQ(index_->Write({{"Ka", "1"}, {"Kc", "3"}, {"Ld", "4"}}, At(1)), absl::OkStatus());
  const auto snapshot = Take();
  const auto cursor = snapshot->NewCursor();
  cursor->Seek("Kb");
  ASSERT_TRUE(cursor->valid());
  EXPECT_EQ(cursor->key(), "Kc");
  EXPECT_EQ(cursor->value(), "3");
  cursor->Next();
  ASSERT_TRUE(cursor->valid());
  EXPECT_EQ(cursor->key(), "Ld");
  cursor->Next();
  EXPECT_FALSE(cursor->valid());
  cursor->Seek("Ka");  // backwards, too
  ASSERT_TRUE(cursor->valid());
  EXPECT_EQ(cursor->key(), "Ka");
  EXPECT_EQ(Keys(*snapshot, "K"), (std::vector<std::string>{"Ka", "Kc"}));
}

TEST_P(IndexContract, ASnapshotIsOneMoment) {
  ASSERT_EQ(index_->Write({{"Ka", "1"}}, At(1)), absl::OkStatus());
  const auto before = Take();
  const auto cursor = before->NewCursor();
  cursor->Seek("K");
  ASSERT_EQ(index_->Write({{"Kb", "2"}, {"K0", "0"}}, At(2)), absl::OkStatus());
  EXPECT_EQ(before->position(), At(1));
  EXPECT_EQ(*before->Get("Kb"), std::nullopt);
  EXPECT_EQ(Keys(*before, "K"), std::vector<std::string>{"Ka"});
  cursor->Next();
  EXPECT_FALSE(cursor->valid());
  EXPECT_EQ(Keys(*Take(), "K"), (std::vector<std::string>{"K0", "Ka", "Kb"}));
}

TEST_P(IndexContract, TheSameRowMayComeAgain) {
  ASSERT_EQ(index_->Write({{"Ka", "1"}}, At(1)), absl::OkStatus());
  const auto before = Take();
  ASSERT_EQ(index_->Write({{"Ka", "1"}}, At(2)), absl::OkStatus());
  EXPECT_EQ(*before->Get("Ka"), "1");
  EXPECT_EQ(*Take()->Get("Ka"), "1");
}

TEST_P(IndexContract, APositionAloneIsWritten) {
  ASSERT_EQ(index_->Write({}, At(9)), absl::OkStatus());
  EXPECT_EQ(Take()->position(), At(9));
}

TEST_P(IndexContract, ASnapshotOutlivesTheHandle) {
  ASSERT_EQ(index_->Write({{"Ka", "1"}}, At(1)), absl::OkStatus());
  const auto snapshot = Take();
  index_.reset();
  EXPECT_EQ(*snapshot->Get("Ka"), "1");
  EXPECT_EQ(Keys(*snapshot, "K"), std::vector<std::string>{"Ka"});
}

TEST_P(IndexContract, VisitPrefixPassesOnWhatItIsTold) {
  ASSERT_EQ(index_->Write({{"Ka", ""}, {"Kb", ""}}, At(1)), absl::OkStatus());
  int seen = 0;
  const absl::Status status = VisitPrefix(*Take(), "K", [&](std::string_view, std::string_view) {
    ++seen;
    return absl::AbortedError("enough");
  });
  EXPECT_TRUE(absl::IsAborted(status));
  EXPECT_EQ(seen, 1);
}

// Readers see whole writes only: every write adds a row to each of two tables.
TEST_P(IndexContract, WritesAreWholeToWhoReadsBeside) {
  constexpr int kWrites = 300;
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const auto snapshot = Take();
      const size_t rows = Keys(*snapshot, "A").size();
      EXPECT_EQ(rows, Keys(*snapshot, "B").size());
      EXPECT_EQ(snapshot->position().applied.value(), rows);
    }
  });
  for (uint64_t i = 0; i < kWrites; ++i) {
    const std::string name = std::to_string(1000 + i);
    EXPECT_EQ(index_->Write({{"A" + name, std::string(500, 'x')}, {"B" + name, ""}}, At(i + 1)),
              absl::OkStatus());
  }
  done = true;
  reader.join();
  EXPECT_EQ(Keys(*Take(), "A").size(), size_t{kWrites});
}

INSTANTIATE_TEST_SUITE_P(Engines, IndexContract, ::testing::Values("memory", "rocksdb"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace stele::store
