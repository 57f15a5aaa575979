// Making, opening and refusing.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/store/backend/rocksdb/stored.h"
#include "tests/support/shared.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using OpenTest = Stored;

TEST_F(OpenTest, NothingThereIsNotFound) {
  EXPECT_TRUE(absl::IsNotFound(Open(dir()).status()));
  EXPECT_FALSE(fs::exists(dir()));
  fs::create_directory(dir());
  EXPECT_TRUE(absl::IsNotFound(Open(dir()).status()));
  EXPECT_TRUE(fs::is_empty(dir()));
}

TEST_F(OpenTest, NothingIsMadeOverAnything) {
  RocksDbOptions options = Options(dir());
  options.create = true;
  fs::create_directory(dir());
  WriteFile(dir() / "a letter", "dear");
  EXPECT_TRUE(absl::IsAlreadyExists(OpenRocksDb(options, nullptr).status()));
  options.dir = folder_ / "file";
  WriteFile(options.dir, "");
  EXPECT_TRUE(absl::IsAlreadyExists(OpenRocksDb(options, nullptr).status()));
}

TEST_F(OpenTest, AStoreIsNotMadeAgain) {
  Make({3}).reset();
  RocksDbOptions options = Options(dir());
  options.create = true;
  EXPECT_TRUE(absl::IsAlreadyExists(OpenRocksDb(options, nullptr).status()));
  auto backend = Open(dir());
  ASSERT_TRUE(backend.ok()) << backend.status();
  Audit(**backend, 3);
}

TEST_F(OpenTest, MissingParentsAreMade) {
  RocksDbOptions options = Options(folder_ / "a" / "b");
  options.dir /= "c";
  options.create = true;
  EXPECT_TRUE(OpenRocksDb(options, nullptr).ok());
}

// A crash between making the folder and the first commit: empty is not new.
TEST_F(OpenTest, UnfinishedCreationIsRefusedForEver) {
  Make({}).reset();
  const auto opened = Open(dir());
  EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition) << opened.status();
  RocksDbOptions options = Options(dir());
  options.create = true;
  EXPECT_TRUE(absl::IsAlreadyExists(OpenRocksDb(options, nullptr).status()));
}

TEST_F(OpenTest, TheHeadCheckDecides) {
  Make({3, 4}).reset();
  const auto refused = Open(dir(), AtLeast(8));
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_NE(refused.status().ToString().find("below the guard"), std::string::npos);
  const auto opened = Open(dir(), AtLeast(7));
  ASSERT_TRUE(opened.ok()) << opened.status();
  Audit(**opened, 7);
}

// What the check refused is still as it was, to be looked at or repaired.
TEST_F(OpenTest, ARefusedStoreKeepsItsLog) {
  auto backend = Make({3, 4});
  const fs::path copy = Crash();
  const auto before = FilesIn(copy, ".log");
  ASSERT_FALSE(before.empty());
  std::vector<std::string> bytes;
  for (const auto& file : before) bytes.push_back(::stele::testing::ReadFile(file));
  EXPECT_FALSE(Open(copy, AtLeast(8)).ok());
  for (size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(::stele::testing::ReadFile(before[i]), bytes[i]) << before[i];
  }
}

TEST_F(OpenTest, OneHandleAtATime) {
  auto backend = Make({3});
  const auto second = Open(dir());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition) << second.status();
  EXPECT_NE(second.status().ToString().find("this process still holds"), std::string::npos);
}

TEST_F(OpenTest, ReadersOfAnEarlierHandleAreWaitedFor) {
  auto backend = Make({3});
  auto snapshot = *backend->GetSnapshot();
  backend.reset();
  Audit(*snapshot, 3);
  std::thread reader([held = std::move(snapshot)]() mutable {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    held.reset();
  });
  const auto opened = Open(dir());
  reader.join();
  EXPECT_TRUE(opened.ok()) << opened.status();
}

TEST_F(OpenTest, AnotherProcessIsNamed) {
  Make({3}).reset();
  int up[2], down[2];
  ASSERT_EQ(pipe(up), 0);
  ASSERT_EQ(pipe(down), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Only the lock: RocksDB's threads do not survive a fork.
    rocksdb::FileLock* lock = nullptr;
    const std::string name = (dir() / "LOCK").string();
    char byte = rocksdb::Env::Default()->LockFile(name, &lock).ok() ? 'y' : 'n';
    if (write(up[1], &byte, 1) != 1) _exit(1);
    _exit(read(down[0], &byte, 1) == 1 ? 0 : 1);  // holding it until told
  }
  char byte = 0;
  ASSERT_EQ(read(up[0], &byte, 1), 1);
  ASSERT_EQ(byte, 'y');
  const auto refused = Open(dir());
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition) << refused.status();
  EXPECT_NE(refused.status().ToString().find("another process holds"), std::string::npos);
  ASSERT_EQ(write(down[1], "x", 1), 1);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  const auto opened = Open(dir());
  ASSERT_TRUE(opened.ok()) << opened.status();
  Audit(**opened, 3);
  for (int fd : {up[0], up[1], down[0], down[1]}) close(fd);
}

TEST_F(OpenTest, AnotherDatabaseIsNotAStore) {
  rocksdb::DB* db = nullptr;
  rocksdb::Options options;
  options.create_if_missing = true;
  ASSERT_TRUE(rocksdb::DB::Open(options, dir().string(), &db).ok());
  delete db;
  const auto opened = Open(dir());
  EXPECT_EQ(opened.status().code(), absl::StatusCode::kFailedPrecondition) << opened.status();
}

// Smaller limits after a crash under full load must still open.
TEST_F(OpenTest, EveryTunableMayShrinkAndGrow) {
  write_buffer_bytes_ = 4 << 20;
  auto backend = Make({});
  for (int i = 0; i < 12; ++i) Commit(*backend, 256);
  for (size_t buffer : {64u << 10, 8u << 20, 256u << 10}) {
    for (size_t cache : {1u << 20, 64u << 20, 0u}) {
      const fs::path copy = Crash();
      RocksDbOptions options = Options(copy);
      options.write_buffer_bytes = buffer;
      options.cache_bytes = cache;
      auto opened = OpenRocksDb(options, nullptr);
      ASSERT_TRUE(opened.ok()) << opened.status() << " buffer " << buffer << " cache " << cache;
      EXPECT_EQ((*(*opened)->GetSnapshot())->head()->size.value(), log_.size());
      TestLog more = log_;
      EXPECT_TRUE((*opened)->Commit(more.Next(5)).ok());
    }
  }
}

TEST_F(OpenTest, ReadingBesideAWriter) {
  auto writer = Make({3});
  RocksDbOptions options = Options(dir());
  options.read_only = true;
  for (int i = 0; i < 20; ++i) {
    auto reader = OpenRocksDb(options, nullptr);
    ASSERT_TRUE(reader.ok()) << reader.status();
    const uint64_t size = log_.size();
    Audit(**reader, size);
    Commit(*writer, 40);
    Audit(**reader, size);  // stays at its moment
    const absl::Status refused = (*reader)->Commit(log_.Next(1));
    EXPECT_EQ(ReasonOf(refused), reason::kReadOnly) << refused;
    EXPECT_FALSE((*reader)->poisoned());
    log_ = TestLog(size + 40);
  }
  Audit(*writer, log_.size());
}

// A writer that flushes all the time removes files under the reader's eyes.
TEST_F(OpenTest, ReadingBesideABusyWriter) {
  write_buffer_bytes_ = 64 << 10;
  auto writer = Make({3});
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> committed{3};
  std::thread work([&] {
    while (!stop) {
      Commit(*writer, 64);
      committed = log_.size();
    }
  });
  RocksDbOptions options = Options(dir());
  options.read_only = true;
  int opened = 0;
  for (int i = 0; i < 5; ++i) {
    const uint64_t least = committed;
    auto reader = OpenRocksDb(options, nullptr);
    if (!reader.ok()) {
      EXPECT_TRUE(absl::IsUnavailable(reader.status())) << reader.status();
      continue;
    }
    ++opened;
    const uint64_t size = (*(*reader)->GetSnapshot())->head()->size.value();
    EXPECT_GE(size, least);
    // Every entry of that moment, and content from all over it.
    EXPECT_TRUE((*(*reader)->GetSnapshot())
                    ->VisitEntries(EntryIndex(0), EntryIndex(size), [](EntryRow) { return true; })
                    .ok());
    for (uint64_t at = 0; at < size; at += 1 + size / 100) {
      EXPECT_TRUE((*(*reader)->GetSnapshot())->Content(Sha256(ContentOf(at))).ok()) << at;
    }
  }
  stop = true;
  work.join();
  EXPECT_GT(opened, 0);
}

TEST_F(OpenTest, StatsAreNamed) {
  auto backend = Make({3, 4, 5});
  uint64_t syncs = 0, memtable = 0;
  for (const auto& [name, value] : backend->Stats()) {
    if (name == "wal_syncs") syncs = value;
    if (name == "rocksdb_memtable_bytes") memtable = value;
  }
  EXPECT_GE(syncs, 3u);
  EXPECT_GT(memtable, 0u);
}

}  // namespace
}  // namespace stele::store::testing
