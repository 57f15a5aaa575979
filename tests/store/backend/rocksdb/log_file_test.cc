// Every byte of a log file counts, and only a record that ends too early is torn.

#include "store/backend/rocksdb/log_file.h"

#include "tests/store/backend/rocksdb/stored.h"
#include "tests/support/shared.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using ::stele::testing::ReadFile;

class LogFile : public Stored {
 protected:
  LogFileCheck CheckBytes(const std::string& bytes) {
    const fs::path path = folder_ / "checked.log";
    WriteFile(path, bytes);
    const auto check = CheckLogFile(path);
    EXPECT_TRUE(check.ok()) << check.status();
    return *check;
  }
  // More than two blocks.
  std::string Log() {
    auto backend = Make({1, 1});
    while (fs::file_size(FilesIn(dir(), ".log").back()) < 80'000) Commit(*backend, 8);
    return ReadFile(FilesIn(Crash(), ".log").back());
  }
};

TEST_F(LogFile, AsWrittenIsWhole) {
  const std::string log = Log();
  const LogFileCheck check = CheckBytes(log);
  EXPECT_FALSE(check.damage) << check.damage->what;
  EXPECT_FALSE(check.torn_at);
  EXPECT_EQ(check.bytes, log.size());
  EXPECT_FALSE(CheckBytes("").damage);
  EXPECT_TRUE(absl::IsNotFound(CheckLogFile(folder_ / "none").status()));
}

TEST_F(LogFile, AnyFlippedByteIsDamage) {
  const std::string log = Log();
  for (size_t at = 0; at < log.size(); at += at + 600 < log.size() ? 61 : 1) {
    std::string bad = log;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    const LogFileCheck check = CheckBytes(bad);
    ASSERT_TRUE(check.damage) << "byte " << at << " of " << bad.size();
    EXPECT_LE(check.damage->at, at);
  }
}

// RocksDB takes a length that leads past the end for a torn tail, wherever it stands.
TEST_F(LogFile, AnyBitOfAnyLengthNearTheEndIsDamage) {
  Make({1, 1, 1, 1}).reset();
  const std::string log = ReadFile(FilesIn(dir(), ".log").back());
  ASSERT_LT(log.size(), 32768u);
  int records = 0;
  for (size_t at = 0; at + 7 <= log.size(); ++records) {
    for (int bit = 0; bit < 16; ++bit) {
      std::string bad = log;
      const size_t byte = at + 4 + static_cast<size_t>(bit / 8);
      bad[byte] = static_cast<char>(bad[byte] ^ (1 << (bit % 8)));
      EXPECT_TRUE(CheckBytes(bad).damage) << "bit " << bit << " of record " << records;
    }
    at += 7 + static_cast<uint8_t>(log[at + 4]) + 256u * static_cast<uint8_t>(log[at + 5]);
  }
  EXPECT_GE(records, 4);
}

TEST_F(LogFile, AnyCutIsTornOrShorter) {
  const std::string log = Log();
  int torn = 0;
  for (size_t keep = 0; keep < log.size(); keep += 173) {
    const LogFileCheck check = CheckBytes(log.substr(0, keep));
    EXPECT_FALSE(check.damage) << keep << ": " << check.damage->what;
    if (check.torn_at) {
      ++torn;
      EXPECT_LE(*check.torn_at, keep);
    }
  }
  EXPECT_GT(torn, 400);
}

TEST_F(LogFile, SpaceThatWasNeverWritten) {
  const std::string log = Log();
  const LogFileCheck check = CheckBytes(log + std::string(100'000, '\0'));
  EXPECT_FALSE(check.damage) << check.damage->what;
  EXPECT_EQ(check.torn_at, log.size());
  const LogFileCheck hole = CheckBytes(log + std::string(100'000, '\0') + log);
  EXPECT_TRUE(hole.damage);
}

}  // namespace
}  // namespace stele::store::testing
