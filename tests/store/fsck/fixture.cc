#include "tests/store/fsck/fixture.h"

#include <fstream>
#include <memory>
#include <set>

#include "store/backend/rocksdb/database.h"

namespace stele::store::testing {

namespace fs = std::filesystem;
using ::stele::testing::Grant;
using ::stele::testing::Sign;
using ::stele::testing::SignPublication;
using ::stele::testing::TestManifest;

namespace {

// Without what a compaction at this moment leaves behind: a table that nothing refers to any more
// is rightly not missed.
void DropDead(const fs::path& db) {
  RocksDbOptions options;
  options.dir = db;
  Database::Failure failure;
  const auto database =
      Database::Open(options, rocksdb::Env::Default(), Database::Mode::kRead,
                     rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords, failure);
  ASSERT_NE(database, nullptr) << failure.status.ToString();
  std::vector<std::string> names;
  uint64_t manifest_bytes = 0;
  const auto status = database->db().GetLiveFiles(names, &manifest_bytes, /*flush_memtable=*/false);
  ASSERT_TRUE(status.ok()) << status.ToString();
  std::set<fs::path> live;
  for (const std::string& name : names) live.insert(fs::path(name).filename());
  ASSERT_FALSE(live.empty());
  for (const char* extension : {".sst", ".blob"}) {
    for (const fs::path& file : FilesIn(db, extension)) {
      if (!live.contains(file.filename())) fs::remove(file);
    }
  }
}

}  // namespace

void FsckTest::Publish(int first, int count) {
  std::vector<PublishItem> items;
  for (int n = first; n < first + count; ++n) {
    // Every other one with metadata and over the size from which content goes to blob files.
    const std::string manifest = TestManifest(n, n % 2 == 0 ? "a title" : "", n % 2 == 0 ? 700 : 0);
    items.push_back(SignPublication(manifest, publisher_, static_cast<uint64_t>(n)));
  }
  for (const auto& [tag, result] : StoreTestBase::Publish(std::move(items))) {
    ASSERT_TRUE(result.ok()) << result.status();
  }
}

void FsckTest::Fill(int in_tables, int in_log) {
  ASSERT_TRUE(
      PublishOne(Sign(Grant(publisher_.public_key(), Role::kPublisher, kNoEvent), operator_)).ok());
  Publish(0, in_tables);
  Close();
  Open();  // what stood in the log goes to tables
  for (int n = 0; n < in_log; ++n) Publish(in_tables + n, 1);
  Copy();
}

void FsckTest::Copy() {
  CopyFolder(home_.dir(), dir());
  DropDead(db());
  fs::copy_file(home_.guard(), guard(), fs::copy_options::overwrite_existing);
  size_ = TreeSizeNow();
}

std::vector<fs::path> FsckTest::TruthFiles() const {
  std::vector<fs::path> files{guard(), db() / "CURRENT"};
  std::string manifest;
  std::ifstream(db() / "CURRENT") >> manifest;
  files.push_back(db() / manifest);
  for (const char* extension : {".log", ".sst", ".blob"}) {
    for (const fs::path& file : FilesIn(db(), extension)) files.push_back(file);
  }
  return files;
}

FsckOptions FsckTest::Options() const {
  FsckOptions options;
  options.dir = dir();
  options.cache_bytes = 1 << 20;
  options.write_buffer_bytes = 1 << 20;
  return options;
}

FsckReport FsckTest::Check() {
  found_.clear();
  FsckOptions options = Options();
  options.found = [&](const Finding& finding) { found_.push_back(finding); };
  const absl::StatusOr<FsckReport> report = Fsck(options);
  EXPECT_TRUE(report.ok()) << report.status();
  if (!report.ok()) return {};
  EXPECT_EQ(report->findings, found_.size());
  return *report;
}

bool FsckTest::Found(std::string_view kind, std::string_view name) const {
  for (const Finding& finding : found_) {
    if (finding.kind == kind && (name.empty() || finding.name == name)) return true;
  }
  return false;
}

std::string FsckTest::AllFound() const {
  std::string all;
  for (const Finding& finding : found_) all += finding.Text() + "\n";
  return all;
}

void FsckTest::ExpectClean(uint64_t size) {
  const FsckReport report = Check();
  EXPECT_EQ(AllFound(), "");
  EXPECT_TRUE(report.opened);
  EXPECT_TRUE(report.log.judged);
  EXPECT_EQ(report.log.size.value(), size);
  EXPECT_EQ(report.log.entries, size);
}

}  // namespace stele::store::testing
