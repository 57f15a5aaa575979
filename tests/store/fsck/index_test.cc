// The derived index under fsck, and `stele reindex`.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "store/fsck/fsck.h"
#include "store/fsck/index_check.h"
#include "store/index/index_keys.h"
#include "store/index/memory_index.h"
#include "store/indexer/applier.h"
#include "store/read/snapshot_reader.h"
#include "store/reindex.h"
#include "tests/support/store/answers_text.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;
using namespace stele::testing;  // NOLINT: what tests publish with

class IndexCheckTest : public StoreTestBase {
 protected:
  IndexCheckTest() : StoreTestBase(Engine::kRocksDb) {}

  void SetUp() override {
    StoreTestBase::SetUp();
    Must(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_));
    for (int n = 0; n < 12; ++n) {
      Must(SignPublication(TestManifest(n, "title " + std::to_string(n)), publisher_));
    }
    Must(SignPublication(TestManifest(3, "another title"), publisher_));
    Must(Sign(Retract({TestRecord(5)}), publisher_));
    Must(Sign(Withhold(TestRecord(6), kNoEvent), operator_));
    Caught();
  }
  void TearDown() override {
    log_ = nullptr;
    reader_.reset();  // it holds the folder
    StoreTestBase::TearDown();
  }
  void Must(PublishItem item) {
    const auto receipt = PublishOne(std::move(item));
    ASSERT_TRUE(receipt.ok()) << receipt.status();
  }
  std::shared_ptr<const Queries> Caught() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    EXPECT_TRUE(store_->WaitForIndex(TreeSize(TreeSizeNow()), deadline));
    return *store_->GetQueries();
  }
  fs::path index() const { return home_.dir() / "index"; }

  // The log at this moment and the rows that it leads to.
  void Derive() {
    reader_ = Reader();
    log_ = &dynamic_cast<const SnapshotReader&>(*reader_).snapshot();
    const auto made = MakeMemoryIndex();
    IndexApplier applier(*made, {}, nullptr);
    while (applier.position().applied < reader_->head().size) {
      ASSERT_EQ(applier.ApplyBatch(*log_), absl::OkStatus());
    }
    position_ = applier.position();
    const auto snapshot = *made->GetSnapshot();
    const auto cursor = snapshot->NewCursor();
    for (cursor->Seek("A"); cursor->valid(); cursor->Next()) {
      rows_.emplace(cursor->key(), cursor->value());
    }
  }
  // What is found wrong with these rows at this position, one line each.
  std::vector<std::string> Found(const IndexRows& rows, const IndexPosition& position) const {
    const auto index = MakeMemoryIndex();
    EXPECT_EQ(index->Write(rows, position), absl::OkStatus());
    std::vector<std::string> found;
    Findings findings([&](const Finding& finding) {
      EXPECT_EQ(finding.kind, "index");
      found.push_back(finding.Text());
    });
    const auto check = CheckIndexRows(*log_, **index->GetSnapshot(), findings, {});
    EXPECT_TRUE(check.ok()) << check.status();
    return found;
  }

  std::vector<std::string> FsckFound(FsckReport& report) const {
    std::vector<std::string> found;
    FsckOptions options;
    options.dir = home_.dir();
    options.guard = home_.guard();
    options.found = [&](const Finding& finding) { found.push_back(finding.Text()); };
    const auto ran = Fsck(options);
    EXPECT_TRUE(ran.ok()) << ran.status();
    if (ran.ok()) report = *ran;
    return found;
  }

  std::shared_ptr<const store::Reader> reader_;
  const Snapshot* log_ = nullptr;
  IndexPosition position_;
  IndexRows rows_;
};

TEST_F(IndexCheckTest, WhatIsDerivedIsClean) {
  Derive();
  EXPECT_EQ(Found(rows_, position_), std::vector<std::string>());
}

// Each row in turn is missing, and then another one.
TEST_F(IndexCheckTest, EveryRowCounts) {
  Derive();
  for (const auto& [key, value] : rows_) {
    IndexRows rows = rows_;
    rows.erase(key);
    const std::vector<std::string> missing = Found(rows, position_);
    ASSERT_EQ(missing.size(), 1u) << NameOfIndexRow(key);
    EXPECT_NE(missing[0].find(NameOfIndexRow(key)), std::string::npos) << missing[0];
    rows[key] = value + "x";
    const std::vector<std::string> other = Found(rows, position_);
    ASSERT_EQ(other.size(), 1u) << NameOfIndexRow(key);
    EXPECT_NE(other[0].find("is not what the log leads to"), std::string::npos) << other[0];
  }
}

TEST_F(IndexCheckTest, ARowTooManyCounts) {
  Derive();
  IndexRows rows = rows_;
  rows[CohortKey(TestRecord(1), TestRecord(2))] = "";
  const std::vector<std::string> found = Found(rows, position_);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("1 rows that do not follow"), std::string::npos) << found[0];
  // Unless a statement was being taken in.
  IndexPosition parts = position_;
  parts.parts = true;
  EXPECT_EQ(Found(rows, parts), std::vector<std::string>());
}

TEST_F(IndexCheckTest, APositionOfAnotherHistoryCounts) {
  Derive();
  for (int fault = 0; fault < 3; ++fault) {
    IndexPosition position = position_;
    if (fault == 0) position.origin = "other.example/log";
    if (fault == 1) position.applied = TreeSize(position.applied.value() + 1);
    if (fault == 2) position.applied = TreeSize(position.applied.value() - 1);
    const std::vector<std::string> found = Found(rows_, position);
    ASSERT_EQ(found.size(), 1u) << fault;
    EXPECT_NE(found[0].find("does not follow from this log"), std::string::npos) << found[0];
  }
}

TEST_F(IndexCheckTest, FsckComparesIt) {
  Close();
  FsckReport report;
  EXPECT_EQ(FsckFound(report), std::vector<std::string>());
  EXPECT_TRUE(report.index_checked);
  EXPECT_EQ(report.index.applied, report.log.size);
  EXPECT_EQ(report.index.records, 12u);
  fs::remove_all(index());
  EXPECT_EQ(FsckFound(report), std::vector<std::string>());
  EXPECT_FALSE(report.index_checked);
}

TEST_F(IndexCheckTest, FsckBesideAServerReadsItsLastFlush) {
  FsckReport report;
  EXPECT_EQ(FsckFound(report), std::vector<std::string>());
}

TEST_F(IndexCheckTest, FsckNamesDamageOfIt) {
  Close();
  size_t damaged = 0;
  for (const auto& file : fs::directory_iterator(index())) {
    if (file.path().extension() != ".sst") continue;
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(100);
    bytes.write("damage", 6);
    ++damaged;
  }
  ASSERT_GT(damaged, 0u);
  FsckReport report;
  const std::vector<std::string> found = FsckFound(report);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("stele reindex"), std::string::npos) << found[0];
  ASSERT_TRUE(Reindex({.dir = home_.dir(), .progress = {}, .log = {}}).ok());
  EXPECT_EQ(FsckFound(report), std::vector<std::string>());
}

TEST_F(IndexCheckTest, ReindexDerivesTheSame) {
  const std::string before = AnswersText(*Caught(), 5);
  const uint64_t size = TreeSizeNow();
  Close();
  uint64_t progress = 0;
  const auto report = Reindex({.dir = home_.dir(),
                               .progress = [&](uint64_t done, uint64_t) { progress = done; },
                               .log = {}});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->entries, size);
  EXPECT_EQ(progress, size);
  EXPECT_EQ(report->records, 12u);
  EXPECT_EQ(report->runs, 0u);
  FsckReport checked;
  EXPECT_EQ(FsckFound(checked), std::vector<std::string>());
  EXPECT_EQ(checked.index.rows, report->rows);
  EXPECT_EQ(checked.index.applied, TreeSize(size));
  Open();
  EXPECT_EQ(AnswersText(*Caught(), 5), before);
}

TEST_F(IndexCheckTest, ReindexIsRefusedBesideAServer) {
  EXPECT_TRUE(absl::IsFailedPrecondition(
      Reindex({.dir = home_.dir(), .progress = {}, .log = {}}).status()));
  EXPECT_TRUE(absl::IsNotFound(
      Reindex({.dir = home_.dir() / "nowhere", .progress = {}, .log = {}}).status()));
  EXPECT_EQ(Caught()->List({}, {})->rows.size(), 12u);  // it is as it was
}

}  // namespace
}  // namespace stele::store
