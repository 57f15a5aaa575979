// Damage of tables and blob files: a row is what was committed, or DATA_LOSS, never another value
// and never "not there".

#include <algorithm>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/store/backend/rocksdb/stored.h"
#include "tests/support/shared.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using ::stele::testing::ReadFile;

class TableDamage : public Stored {
 protected:
  // A store of which nothing stands in the log.
  fs::path MakeTables() {
    Make({1, 100, 160, 9}).reset();
    EXPECT_TRUE(Open(dir()).ok());  // what was in the log goes to tables
    tile_ = TestLog().Next(log_.size()).tiles[0].bytes;
    return dir();
  }

  template <class Value>
  void Judge(const absl::StatusOr<Value>& got, const Value& want) {
    if (got.ok()) {
      EXPECT_TRUE(*got == want) << where_ << ": a wrong value";
    } else {
      EXPECT_EQ(got.status().code(), absl::StatusCode::kDataLoss) << where_ << got.status();
      ++losses_;
    }
  }

  void ReadEverything(const Snapshot& snapshot) {
    for (uint64_t i = 0; i < log_.size(); i += 3) {
      const EntryRow entry{EntryIndex(i), LeafOf(i), LeafHash(LeafOf(i))};
      Judge(snapshot.Entry(EntryIndex(i)), entry);
      Judge(snapshot.Content(Sha256(ContentOf(i))), ContentOf(i));
      Judge(snapshot.HasContent(Sha256(ContentOf(i))), true);
      Judge(snapshot.FindReplay(ReplayOf(i).key), std::optional(EntryIndex(i)));
      const auto rows = snapshot.Publications(Sha256(ContentOf(i)));
      if (rows.ok()) {
        EXPECT_GE(rows->size(), 1u) << where_;
      } else {
        Judge(rows, {});
      }
    }
    uint64_t next = 0;
    const absl::Status visited =
        snapshot.VisitEntries(EntryIndex(0), EntryIndex(log_.size()), [&](EntryRow row) {
          EXPECT_EQ(row.leaf, LeafOf(next++)) << where_;
          return true;
        });
    EXPECT_EQ(visited.ok(), next == log_.size()) << where_ << visited;
    if (!visited.ok()) EXPECT_EQ(visited.code(), absl::StatusCode::kDataLoss) << where_ << visited;
    const auto events = snapshot.KeyEvents();
    if (!events.ok()) EXPECT_EQ(events.status().code(), absl::StatusCode::kDataLoss) << where_;
    Judge(snapshot.Tile(0, 0), tile_);
  }

  void OpenAndRead(const fs::path& copy) {
    const auto opened = Open(copy, AtLeast(log_.size()));
    if (!opened.ok()) {
      EXPECT_EQ(opened.status().code(), absl::StatusCode::kDataLoss) << where_ << opened.status();
      ++losses_;
      return;
    }
    const auto snapshot = (*opened)->GetSnapshot();
    ASSERT_TRUE(snapshot.ok()) << where_ << snapshot.status();
    ReadEverything(**snapshot);
  }

  // Flips bytes all over every file with this extension, one at a time.
  void FlipAll(const std::string& extension, size_t flips_a_file) {
    const fs::path intact = MakeTables();
    const auto files = FilesIn(intact, extension);
    ASSERT_FALSE(files.empty());
    for (const fs::path& file : files) {
      const std::string bytes = ReadFile(file);
      for (size_t n = 0; n < flips_a_file; ++n) {
        const size_t at = bytes.size() * n / flips_a_file;
        where_ = Concat("byte ", at, " of ", file.filename().string(), ": ");
        const fs::path copy = folder_ / "flipped";
        CopyFolder(intact, copy);
        std::string bad = bytes;
        bad[at] = static_cast<char>(bad[at] ^ (1 << (n % 8)));
        WriteFile(copy / file.filename(), bad);
        OpenAndRead(copy);
        if (HasFailure()) return;
      }
    }
    EXPECT_GT(losses_, 0) << "no flip was noticed: it hit nothing";
  }

  static constexpr size_t kLastRecord = 512;  // is shorter
  std::string where_, tile_;
  int losses_ = 0;
};

TEST_F(TableDamage, FlippedBytesOfTables) { FlipAll(".sst", 8); }

TEST_F(TableDamage, FlippedBytesOfBlobFiles) { FlipAll(".blob", 40); }

TEST_F(TableDamage, AMissingFileIsDataLoss) {
  const fs::path intact = MakeTables();
  for (const char* extension : {".sst", ".blob"}) {
    for (const fs::path& file : FilesIn(intact, extension)) {
      where_ = file.filename().string() + ": ";
      const fs::path copy = folder_ / "missing";
      CopyFolder(intact, copy);
      fs::remove(copy / file.filename());
      losses_ = 0;
      OpenAndRead(copy);
      EXPECT_GT(losses_, 0) << where_;
    }
  }
}

// But for its last record, which may pass for the torn tail of a kill: nothing else may be missing.
TEST_F(TableDamage, ADamagedManifestIsDataLoss) {
  const fs::path intact = MakeTables();
  std::string name;
  for (const auto& file : fs::directory_iterator(intact)) {
    if (file.path().filename().string().rfind("MANIFEST", 0) == 0) name = file.path().filename();
  }
  const std::string bytes = ReadFile(intact / name);
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 60) {
    where_ = Concat("byte ", at, " of ", name, ": ");
    const fs::path copy = folder_ / "flipped";
    CopyFolder(intact, copy);
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    WriteFile(copy / name, bad);
    losses_ = 0;
    OpenAndRead(copy);
    if (at + kLastRecord < bytes.size()) EXPECT_GT(losses_, 0) << where_;
  }
}

}  // namespace
}  // namespace stele::store::testing
