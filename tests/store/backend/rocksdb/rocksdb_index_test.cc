// What RocksDB's index promises beside the contract: it may be lost, it is never wrong.
#include "store/backend/rocksdb/rocksdb_index.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <fstream>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/store/backend/support/folder.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;

IndexPosition At(uint64_t size) {
  return {
      .origin = "example.org/log", .applied = TreeSize(size), .root = Sha256(std::to_string(size))};
}

class RocksDbIndexTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<IndexStore>> Open(bool create = false) {
    return OpenRocksDbIndex({.dir = dir_,
                             .create = create,
                             .write_buffer_bytes = 64 << 10,
                             .close_wait = std::chrono::milliseconds(0)});
  }
  // Enough for several tables.
  void Fill(IndexStore& index, uint64_t writes) {
    for (uint64_t i = 0; i < writes; ++i) {
      const std::string name = std::to_string(100000 + i);
      ASSERT_EQ(index.Write({{"K" + name, Sha256(name).ToHex()}}, At(i + 1)), absl::OkStatus());
    }
  }
  // The rows that there are, which are those up to its position.
  void ExpectWhole(const IndexStore& index) {
    const auto snapshot = *index.GetSnapshot();
    uint64_t rows = 0;
    ASSERT_EQ(VisitPrefix(*snapshot, "K",
                          [&](std::string_view key, std::string_view value) {
                            EXPECT_EQ(value, Sha256(key.substr(1)).ToHex());
                            ++rows;
                            return absl::OkStatus();
                          }),
              absl::OkStatus());
    EXPECT_EQ(rows, snapshot->position().applied.value());
  }

  testing::TempFolder folder_;
  const fs::path dir_ = folder_.path() / "index";
};

TEST_F(RocksDbIndexTest, ThereIsNoneBeforeItIsMade) {
  EXPECT_TRUE(absl::IsNotFound(Open().status()));
}

TEST_F(RocksDbIndexTest, IsThereAfterClosing) {
  Fill(**Open(true), 2000);
  auto again = Open();
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*(*again)->GetSnapshot())->position(), At(2000));
  ExpectWhole(**again);
}

TEST_F(RocksDbIndexTest, MakingOneThrowsAwayWhatIsThere) {
  Fill(**Open(true), 10);
  auto fresh = Open(true);
  ASSERT_TRUE(fresh.ok()) << fresh.status();
  EXPECT_EQ((*(*fresh)->GetSnapshot())->position(), IndexPosition());
  EXPECT_EQ(*(*(*fresh)->GetSnapshot())->Get("K100000"), std::nullopt);
}

TEST_F(RocksDbIndexTest, WhatIsHeldIsNotThrownAway) {
  auto held = Open(true);
  Fill(**held, 10);
  EXPECT_TRUE(absl::IsUnavailable(Open().status()));
  EXPECT_TRUE(absl::IsUnavailable(Open(true).status()));
  ExpectWhole(**held);
}

// What a kill leaves: files as they are on the disk, memtables gone.
TEST_F(RocksDbIndexTest, AfterAKillItIsWholeUpToItsPosition) {
  auto index = Open(true);
  Fill(**index, 5000);
  const fs::path copy = folder_.path() / "copy";
  testing::CopyFolder(dir_, copy);  // compactions remove files meanwhile
  fs::remove(copy / "LOCK");
  auto left = OpenRocksDbIndex({.dir = copy});
  ASSERT_TRUE(left.ok()) << left.status();
  ExpectWhole(**left);
  const uint64_t applied = (*(*left)->GetSnapshot())->position().applied.value();
  EXPECT_GT(applied, 0u);  // some memtables were flushed
  EXPECT_LT(applied, 5000u);
}

TEST_F(RocksDbIndexTest, BesideAWriterItIsReadAsOfItsLastFlush) {
  auto index = Open(true);
  Fill(**index, 5000);
  auto beside = OpenRocksDbIndex({.dir = dir_, .read_only = true});
  ASSERT_TRUE(beside.ok()) << beside.status();
  ExpectWhole(**beside);
  EXPECT_FALSE((*beside)->Write({{"K", ""}}, At(1)).ok());
}

TEST_F(RocksDbIndexTest, OfAnotherFormatItDoesNotOpen) {
  Open(true)->reset();
  rocksdb::DB* raw = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(rocksdb::Options(), dir_, &raw).ok());
  const std::unique_ptr<rocksdb::DB> db(raw);
  const std::string frame = EncodeIndexPosition(At(1), kIndexFormat + 1);
  ASSERT_TRUE(db->Put(rocksdb::WriteOptions(), std::string("\0position", 9), frame).ok());
  ASSERT_TRUE(db->Close().ok());
  EXPECT_EQ(Open().status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(Open(true).ok());
}

// Any damage of any file either does not matter, or is noticed at opening or reading.
TEST_F(RocksDbIndexTest, DamageIsNoticed) {
  Fill(**Open(true), 3000);
  int noticed = 0;
  for (const auto& file : fs::directory_iterator(dir_)) {
    if (fs::file_size(file) == 0) continue;
    const fs::path copy = folder_.path() / "copy";
    fs::remove_all(copy);
    fs::copy(dir_, copy, fs::copy_options::recursive);
    const fs::path damaged = copy / file.path().filename();
    std::fstream bytes(damaged, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(fs::file_size(damaged) / 2));
    bytes.put('\x5A');
    bytes.close();
    auto opened = OpenRocksDbIndex({.dir = copy});
    if (!opened.ok()) {
      EXPECT_FALSE(absl::IsNotFound(opened.status())) << opened.status();
      ++noticed;
      continue;
    }
    const auto snapshot = *(*opened)->GetSnapshot();
    uint64_t rows = 0;
    const absl::Status read =
        VisitPrefix(*snapshot, "K", [&](std::string_view key, std::string_view value) {
          EXPECT_EQ(value, Sha256(key.substr(1)).ToHex());
          ++rows;
          return absl::OkStatus();
        });
    if (!read.ok()) {
      EXPECT_TRUE(absl::IsDataLoss(read)) << read;
      ++noticed;
    } else {
      EXPECT_EQ(rows, snapshot->position().applied.value()) << damaged;
    }
  }
  EXPECT_GT(noticed, 0);
}

TEST_F(RocksDbIndexTest, FilesInItsPlaceAreThrownAway) {
  fs::create_directories(dir_);
  std::ofstream(dir_ / "CURRENT") << "nonsense";
  EXPECT_FALSE(Open().ok());
  auto made = Open(true);
  EXPECT_TRUE(made.ok()) << made.status();
}

}  // namespace
}  // namespace stele::store
