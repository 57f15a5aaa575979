// What is damaged comes back from a source, and nothing else changes.

#include "store/fsck/repair.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "store/log/guard.h"
#include "tests/store/fsck/fixture.h"
#include "tests/support/shared.h"
#include "tests/support/store/artifacts.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using ::stele::testing::ReadFile;
using ::stele::testing::TestManifest;

// The store that the copy was made of.
class StoreSource final : public RepairSource {
 public:
  explicit StoreSource(const Store& store) : reader_(*store.GetReader()) {}

  absl::StatusOr<std::string> Checkpoint() override { return reader_->head().checkpoint; }
  absl::StatusOr<std::vector<std::string>> Leaves(EntryIndex start, uint64_t count,
                                                  TreeSize size) override {
    EXPECT_LE(start.value() + count, size.value());
    std::vector<std::string> leaves;
    for (uint64_t i = start.value(); i < start.value() + count; ++i) {
      leaves.push_back(lie_about_leaves ? "{}" : reader_->Entry(EntryIndex{i})->leaf);
    }
    return leaves;
  }
  absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) override {
    if (digest == lacks) return std::optional<std::string>();
    if (lie_about_content) return std::optional<std::string>("another");
    absl::StatusOr<std::string> bytes = reader_->Content(digest);
    if (!bytes.ok()) return bytes.status();
    return std::optional(*std::move(bytes));
  }

  absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) override {
    if (digest == lacks) return false;
    const auto bytes = ::stele::testing::ReadStream(*reader_, digest);
    if (!bytes.ok()) return bytes.status();
    for (int i = 0; i < 2; ++i) {  // as a source does that has to start over
      STELE_RETURN_IF_ERROR(sink.Begin());
      STELE_RETURN_IF_ERROR(sink.Take(std::string_view(*bytes).substr(0, bytes->size() / 2)));
    }
    if (lie_about_content) return true;
    STELE_RETURN_IF_ERROR(sink.Take(std::string_view(*bytes).substr(bytes->size() / 2)));
    return true;
  }

  bool lie_about_leaves = false, lie_about_content = false;
  Digest lacks;

 private:
  const std::shared_ptr<const Reader> reader_;
};

class RepairTest : public FsckTest {
 protected:
  void SetUp() override {
    FsckTest::SetUp();
    Fill(300, 6);
    checkpoint_ = StoreSource(*store_).Checkpoint().value();
  }

  absl::StatusOr<RepairReport> RepairFrom(RepairSource& source) {
    found_.clear();
    RepairOptions options{.fsck = Options()};
    options.fsck.found = [&](const Finding& finding) { found_.push_back(finding); };
    return Repair(options, source);
  }
  // Repairs from the first store; afterwards the copy is as if nothing had been.
  RepairReport ExpectRepaired() {
    StoreSource source(*store_);
    const auto report = RepairFrom(source);
    EXPECT_TRUE(report.ok()) << report.status() << "\n" << AllFound();
    if (!report.ok()) return {};
    EXPECT_GT(report->before.findings, 0u);
    EXPECT_EQ(report->after.findings, 0u) << AllFound();
    ExpectClean(size_);
    OpenOptions options = ::stele::testing::StoreHome::Options();
    options.dir = dir();
    const auto opened = Store::Open(options);
    EXPECT_TRUE(opened.ok()) << opened.status();
    if (!opened.ok()) return {};
    EXPECT_EQ(::stele::testing::CheckStore(**opened), absl::OkStatus());
    EXPECT_EQ((*(*opened)->GetReader())->head().checkpoint, checkpoint_);
    return *report;
  }
  fs::path Newest(const std::string& extension) { return FilesIn(db(), extension).back(); }
  void FlipMiddle(const fs::path& file) {
    std::string bytes = ReadFile(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 8);
    WriteFile(file, bytes);
  }

  std::string checkpoint_;
};

TEST_F(RepairTest, ASoundStoreIsLeftAlone) {
  StoreSource source(*store_);
  const auto report = RepairFrom(source);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->rebuilt);
  EXPECT_EQ(report->before.findings, 0u);
  EXPECT_FALSE(fs::exists(dir() / "db.damaged-1"));
}

TEST_F(RepairTest, EveryTableDeletedInTurn) {
  const auto intact = copy_ / "intact";
  CopyFolder(dir(), intact);
  for (const fs::path& table : FilesIn(intact / "db", ".sst")) {
    CopyFolder(intact, dir());
    fs::remove(db() / table.filename());
    const RepairReport report = ExpectRepaired();
    EXPECT_TRUE(report.rebuilt) << table;
    if (HasFailure()) return;
  }
}

TEST_F(RepairTest, AFlippedBlob) {
  FlipMiddle(Newest(".blob"));
  const RepairReport report = ExpectRepaired();
  EXPECT_GT(report.contents_fetched, 0u);
  EXPECT_LT(report.contents_fetched, 10u);  // the rest was whole
  EXPECT_EQ(report.leaves_fetched, 0u);
  EXPECT_EQ(report.kept, dir() / "db.damaged-1");
  EXPECT_TRUE(fs::exists(report.kept / "CURRENT"));
}

TEST_F(RepairTest, EmptyFiles) {
  for (const char* extension : {".log", ".blob", ".sst"}) {
    WriteFile(Newest(extension), "");
    ExpectRepaired();
    if (HasFailure()) return;
  }
}

TEST_F(RepairTest, AnythingThatKeepsItFromOpening) {
  FlipMiddle(Newest(".log"));
  ExpectRepaired();
  WriteFile(db() / "CURRENT", "nothing\n");
  EXPECT_EQ(ExpectRepaired().leaves_fetched, size_);
  std::string current = ReadFile(db() / "CURRENT");
  current.pop_back();
  fs::remove(db() / current);
  ExpectRepaired();
  fs::remove_all(db());
  ExpectRepaired();
}

TEST_F(RepairTest, ADamagedGuardBlock) {
  std::string bytes = ReadFile(guard());
  for (size_t at : {size_t{4096 + 9}, size_t{8192 + 9}}) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    WriteFile(guard(), bad);
    const RepairReport report = ExpectRepaired();
    EXPECT_FALSE(report.rebuilt);
    WriteFile(guard(), bytes);
  }
}

// The log goes to where the guard says, even if the head of the old database is behind.
TEST_F(RepairTest, ARolledBackStore) {
  const fs::path old = copy_ / "old";
  CopyFolder(dir(), old);
  Publish(5000, 5);
  Copy();
  checkpoint_ = StoreSource(*store_).Checkpoint().value();
  CopyFolder(old, dir());
  const RepairReport report = ExpectRepaired();
  EXPECT_EQ(report.leaves_fetched, 5u);
}

// The source knows more than the guard: nobody forgets what was signed.
TEST_F(RepairTest, ASourceThatIsAhead) {
  Publish(5000, 5);
  fs::remove(Newest(".sst"));
  checkpoint_ = StoreSource(*store_).Checkpoint().value();
  size_ = TreeSizeNow();
  ExpectRepaired();
  EXPECT_EQ((*Guard::Open(guard()))->position().size.value(), size_);
}

TEST_F(RepairTest, WhatTheSourceLacksIsSaid) {
  StoreSource source(*store_);
  source.lacks = ParseManifest(TestManifest(4, "a title", 700))->manifest;
  for (const fs::path& blob : FilesIn(db(), ".blob")) fs::remove(blob);
  const auto report = RepairFrom(source);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_TRUE(report->rebuilt);
  EXPECT_EQ(report->after.findings, 1u);
  EXPECT_TRUE(Found("content", source.lacks.ToText())) << AllFound();
  ExpectRepaired();  // from one that has it
}

TEST_F(RepairTest, LiesChangeNothing) {
  const fs::path intact = copy_ / "intact";
  for (const fs::path& table : FilesIn(db(), ".sst")) fs::remove(table);
  CopyFolder(dir(), intact);
  StoreSource source(*store_);
  source.lie_about_leaves = true;
  const auto report = RepairFrom(source);
  EXPECT_TRUE(absl::IsDataLoss(report.status())) << report.status();
  EXPECT_FALSE(fs::exists(dir() / "db.repair"));
  EXPECT_FALSE(fs::exists(dir() / "db.damaged-1"));
  for (const fs::path& file : FilesIn(intact / "db", ".blob")) {
    EXPECT_EQ(ReadFile(db() / file.filename()), ReadFile(file));
  }
  source.lie_about_leaves = false;
  source.lie_about_content = true;
  const auto without = RepairFrom(source);
  ASSERT_TRUE(without.ok()) << without.status();
  EXPECT_GT(without->after.findings, 0u);  // all that it has is lies: named as missing
  ExpectRepaired();
}

TEST_F(RepairTest, WithNeitherGuardNorHeadItIsRefused) {
  fs::remove(guard());
  fs::remove(db() / "CURRENT");
  StoreSource source(*store_);
  const auto report = RepairFrom(source);
  EXPECT_TRUE(absl::IsFailedPrecondition(report.status())) << report.status();
}

TEST_F(RepairTest, AnOpenStoreIsRefused) {
  OpenOptions options = ::stele::testing::StoreHome::Options();
  options.dir = dir();
  const auto opened = Store::Open(options);
  ASSERT_TRUE(opened.ok()) << opened.status();
  StoreSource source(*store_);
  EXPECT_TRUE(absl::IsFailedPrecondition(RepairFrom(source).status()));
}

}  // namespace
}  // namespace stele::store::testing
