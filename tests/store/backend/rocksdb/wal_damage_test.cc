// Damage of the write-ahead log: every synchronised commit, or a refusal that says what is wrong.
// Never a shorter history in silence.

#include "core/base/refusal.h"
#include "tests/store/backend/rocksdb/stored.h"
#include "tests/support/shared.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using ::stele::testing::ReadFile;

class WalDamage : public Stored {
 protected:
  // Opens a damaged copy under a guard that knows all of the log.
  void ExpectAllOrRefused(const fs::path& copy, const std::string& what) {
    auto opened = Open(copy, AtLeast(log_.size()));
    if (opened.ok()) {
      ++opened_;
      Audit(**opened, log_.size());
      TestLog more = log_;
      EXPECT_TRUE((*opened)->Commit(more.Next(2)).ok());
      opened->reset();
      auto again = Open(copy, AtLeast(log_.size() + 2));
      ASSERT_TRUE(again.ok()) << what << ": " << again.status();
      Audit(**again, log_.size() + 2);
    } else {
      ++refused_;
      const absl::StatusCode code = opened.status().code();
      EXPECT_TRUE(code == absl::StatusCode::kDataLoss ||
                  code == absl::StatusCode::kFailedPrecondition)
          << what << ": " << opened.status();
    }
  }
  // Copies of the store with byte `at` of its newest log file changed.
  void FlipAt(const std::vector<size_t>& offsets, uint8_t mask) {
    const fs::path intact = Crash("intact");
    const fs::path file = FilesIn(intact, ".log").back();
    const std::string bytes = ReadFile(file);
    for (size_t at : offsets) {
      const fs::path copy = folder_ / "flipped";
      CopyFolder(intact, copy);
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ mask);
      WriteFile(copy / file.filename(), flipped);
      ExpectAllOrRefused(copy, Concat("byte ", at, " of ", bytes.size()));
      if (HasFatalFailure()) return;
    }
  }
  size_t LogBytes() { return static_cast<size_t>(fs::file_size(FilesIn(dir(), ".log").back())); }

  int opened_ = 0, refused_ = 0;
};

TEST_F(WalDamage, FlippedBytesEverywhere) {
  auto backend = Make({1, 2, 3, 4});
  std::vector<size_t> offsets;
  for (size_t at = 0; at < LogBytes(); at += 1 + LogBytes() / 150) offsets.push_back(at);
  FlipAt(offsets, 0x10);
  EXPECT_GT(refused_, 100);
}

// The header of every record of RocksDB: checksum 4, length 2, type 1. A length that leads past the
// end looks like a torn tail; only the guard tells.
TEST_F(WalDamage, EveryByteOfTheLastRecordsHead) {
  auto backend = Make({1, 2, 3});
  const size_t begin = LogBytes();
  Commit(*backend, 1);
  for (int bit = 0; bit < 8; ++bit) {
    FlipAt({begin, begin + 4, begin + 5, begin + 6}, static_cast<uint8_t>(1 << bit));
  }
  EXPECT_EQ(opened_, 0);
  EXPECT_EQ(refused_, 32);
}

// A kill while a record is written: everything before it is there, with or without it.
TEST_F(WalDamage, TornTailIsTolerated) {
  auto backend = Make({1, 2, 3});
  const uint64_t acknowledged = log_.size();
  const size_t begin = LogBytes();
  Commit(*backend, 2);
  const fs::path intact = Crash("intact");
  const size_t end = LogBytes();
  for (size_t keep = begin; keep <= end; keep += keep < begin + 8 || keep + 8 > end ? 1 : 997) {
    const fs::path copy = folder_ / "torn";
    CopyFolder(intact, copy);
    fs::resize_file(FilesIn(copy, ".log").back(), keep);
    auto opened = Open(copy, AtLeast(acknowledged));
    ASSERT_TRUE(opened.ok()) << keep << " of " << end << ": " << opened.status();
    const uint64_t size = keep == end ? acknowledged + 2 : acknowledged;
    Audit(**opened, size);
    EXPECT_FALSE(fs::exists(copy / "damaged-1"));
    TestLog more(size);
    ASSERT_TRUE((*opened)->Commit(more.Next(4)).ok());
    opened->reset();
    auto again = Open(copy, AtLeast(size + 4));  // over the torn record too
    ASSERT_TRUE(again.ok()) << again.status();
    Audit(**again, size + 4);
    EXPECT_FALSE(Open(copy, AtLeast(size + 5)).ok());
    if (HasFailure()) return;
  }
}

// Damage behind everything acknowledged: opened at the last good point, the log copied aside first.
TEST_F(WalDamage, DamageBehindTheGuardIsPutAside) {
  auto backend = Make({1, 2, 3});
  const uint64_t acknowledged = log_.size();
  const size_t begin = LogBytes();
  Commit(*backend, 2);
  Commit(*backend, 2);
  const fs::path copy = Crash();
  const fs::path file = FilesIn(copy, ".log").back();
  std::string bytes = ReadFile(file);
  bytes[begin + 40] = static_cast<char>(bytes[begin + 40] ^ 1);
  WriteFile(file, bytes);
  std::string said;
  RocksDbOptions options = Options(copy);
  options.log = [&](std::string_view, std::string_view message) { said += Concat(message, "\n"); };
  for (int round = 1; round <= 2; ++round) {
    WriteFile(copy / file.filename(), bytes);
    auto refused = OpenRocksDb(options, AtLeast(acknowledged + 1));
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kDataLoss) << refused.status();
    EXPECT_NE(refused.status().ToString().find("below the guard"), std::string::npos);
    EXPECT_FALSE(fs::exists(copy / Concat("damaged-", round)));
    EXPECT_EQ(ReadFile(copy / file.filename()), bytes);
    if (round == 2) break;
    auto opened = OpenRocksDb(options, AtLeast(acknowledged));
    ASSERT_TRUE(opened.ok()) << opened.status();
    EXPECT_EQ(ReadFile(copy / Concat("damaged-", round) / file.filename()), bytes);
    EXPECT_NE(said.find("damaged-1"), std::string::npos) << said;
    Audit(**opened, acknowledged);
    TestLog more(acknowledged);
    ASSERT_TRUE((*opened)->Commit(more.Next(4)).ok());
    opened->reset();
    auto again = OpenRocksDb(options, AtLeast(acknowledged + 4));
    ASSERT_TRUE(again.ok()) << again.status();
    Audit(**again, acknowledged + 4);
    again->reset();
    break;
  }
}

// Several log files that are all still needed: a loss in an older one is a hole, not a tail.
class SeveralLogs : public WalDamage {
 protected:
  // Content fills its memtable again and again, and each time a log file is closed that the other
  // families have not let go of.
  std::unique_ptr<Backend> MakeSeveral() {
    write_buffer_bytes_ = 64 << 10;
    auto backend = Make({1});
    while (FilesIn(dir(), ".log").size() < 4 && log_.size() < 2000) Commit(*backend, 12);
    EXPECT_GE(FilesIn(dir(), ".log").size(), 3u);
    return backend;
  }
};

TEST_F(SeveralLogs, AnyCutOfAnOlderOneIsNoticed) {
  auto backend = MakeSeveral();
  const fs::path intact = Crash("intact");
  auto files = FilesIn(intact, ".log");
  files.pop_back();
  for (const fs::path& file : files) {
    const size_t size = static_cast<size_t>(fs::file_size(file));
    if (size == 0) continue;
    for (size_t keep = 0; keep < size; keep += 1 + size / 20) {
      const fs::path copy = folder_ / "cut";
      CopyFolder(intact, copy);
      fs::resize_file(copy / file.filename(), keep);
      ExpectAllOrRefused(copy, Concat(file.filename().string(), " cut to ", keep));
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(opened_, 0);
}

// Lengths that lead past the end look like a torn tail, and the files after it go on: RocksDB would
// open with the middle gone.
TEST_F(SeveralLogs, AnOlderOneThatLooksTorn) {
  write_buffer_bytes_ = 64 << 10;
  auto backend = Make({1});
  size_t begin = 0, flipped = 0;  // of the newest record
  for (int i = 0; i < 60 && flipped < 3; ++i) {
    const fs::path file = FilesIn(dir(), ".log").back().filename();
    const size_t size = static_cast<size_t>(fs::file_size(dir() / file));
    Commit(*backend, 5);
    if (fs::exists(dir() / file) && fs::file_size(dir() / file) > size) {
      begin = size;
      continue;
    }
    const fs::path copy = Crash("torn");  // the commit began a new file
    if (begin == 0 || !fs::exists(copy / file)) continue;
    std::string bytes = ReadFile(copy / file);
    bytes[begin + 5] = static_cast<char>(bytes[begin + 5] ^ 0x40);  // length, high byte
    WriteFile(copy / file, bytes);
    ExpectAllOrRefused(copy, Concat(file.string(), " from ", begin));
    ++flipped;
    begin = 0;
  }
  EXPECT_GT(flipped, 0u);
  EXPECT_EQ(opened_, 0);
}

TEST_F(SeveralLogs, AMissingOneIsNoticed) {
  auto backend = MakeSeveral();
  const fs::path intact = Crash("intact");
  for (const fs::path& file : FilesIn(intact, ".log")) {
    if (fs::file_size(file) == 0) continue;
    const fs::path copy = folder_ / "missing";
    CopyFolder(intact, copy);
    fs::remove(copy / file.filename());
    ExpectAllOrRefused(copy, Concat(file.filename().string(), " removed"));
  }
  EXPECT_EQ(opened_, 0);
}

TEST_F(SeveralLogs, FlippedBytesOfAnOlderOne) {
  auto backend = MakeSeveral();
  const fs::path intact = Crash("intact");
  auto files = FilesIn(intact, ".log");
  for (size_t f = 0; f + 1 < files.size(); ++f) {
    const std::string bytes = ReadFile(files[f]);
    for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 25) {
      const fs::path copy = folder_ / "flipped";
      CopyFolder(intact, copy);
      std::string flipped = bytes;
      flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
      WriteFile(copy / files[f].filename(), flipped);
      ExpectAllOrRefused(copy, Concat("byte ", at, " of ", files[f].filename().string()));
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(refused_, 20);
}

}  // namespace
}  // namespace stele::store::testing
