#include "store/log/guard.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "store/log/guard_block.h"
#include "tests/support/shared.h"
#include "tests/support/store/temp_dir.h"

namespace stele::store::testing {
namespace {

namespace fs = std::filesystem;
using ::stele::testing::ReadFile;

const GuardIdentity kStore{.origin = "stele.example/log", .genesis_leaf_hash = Sha256("genesis")};
GuardPosition At(uint64_t size) {
  return {.size = TreeSize(size), .root = Sha256(std::to_string(size))};
}

void WriteFile(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  ASSERT_TRUE(out.good());
}

void FlipByte(const fs::path& path, size_t at, int mask) {
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(at));
  const char flipped = static_cast<char>(file.get() ^ mask);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(flipped);
  file.close();
  ASSERT_TRUE(file.good());
}

class GuardTest : public ::testing::Test {
 protected:
  std::unique_ptr<Guard> Create() {
    auto guard = Guard::Create(path_, kStore, At(1));
    EXPECT_TRUE(guard.ok()) << guard.status();
    return *std::move(guard);
  }
  ::stele::testing::TempDir folder_;
  const fs::path path_ = folder_.path() / "data.guard";
};

TEST_F(GuardTest, RemembersTheLastRecord) {
  auto guard = Create();
  for (uint64_t size : {2, 3, 50, 51, 1000}) {
    ASSERT_TRUE(guard->Record(At(size)).ok());
    EXPECT_EQ(guard->position(), At(size));
    guard.reset();
    auto opened = Guard::Open(path_);
    ASSERT_TRUE(opened.ok()) << opened.status();
    guard = *std::move(opened);
    EXPECT_EQ(guard->position(), At(size));
    EXPECT_EQ(guard->identity(), kStore);
  }
  EXPECT_TRUE(guard->Record(At(1000)).ok());  // the same again
}

TEST_F(GuardTest, NeverGoesBack) {
  auto guard = Create();
  ASSERT_TRUE(guard->Record(At(9)).ok());
  const std::string before = ReadFile(path_);
  for (const GuardPosition& wrong :
       {At(8), At(0), GuardPosition{.size = TreeSize(9), .root = Sha256("another")}}) {
    EXPECT_EQ(guard->Record(wrong).code(), absl::StatusCode::kFailedPrecondition);
  }
  EXPECT_EQ(ReadFile(path_), before);
  EXPECT_EQ(guard->position(), At(9));
  EXPECT_TRUE(guard->Record(At(10)).ok());
}

TEST_F(GuardTest, IsNeverMadeOverAnything) {
  Create().reset();
  const std::string before = ReadFile(path_);
  EXPECT_TRUE(absl::IsAlreadyExists(Guard::Create(path_, kStore, At(1)).status()));
  EXPECT_EQ(ReadFile(path_), before);
  const fs::path link = folder_.path() / "link";
  fs::create_symlink(folder_.path() / "nowhere", link);
  EXPECT_TRUE(absl::IsAlreadyExists(Guard::Create(link, kStore, At(1)).status()));
  EXPECT_TRUE(absl::IsNotFound(Guard::Open(folder_.path() / "nowhere").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      Guard::Create(folder_.path() / "long", {std::string(201, 'o'), {}}, At(1)).status()));
  EXPECT_FALSE(fs::exists(folder_.path() / "long"));
}

TEST_F(GuardTest, AnotherStoresGuardIsNamed) {
  auto guard = Create();
  EXPECT_TRUE(guard->CheckIdentity(kStore).ok());
  GuardIdentity origin = kStore, genesis = kStore;
  origin.origin = "other.example/log";
  genesis.genesis_leaf_hash = Sha256("another genesis");
  for (const GuardIdentity& other : {origin, genesis}) {
    const absl::Status refused = guard->CheckIdentity(other);
    EXPECT_EQ(refused.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_NE(refused.ToString().find(kStore.origin), std::string::npos) << refused;
    EXPECT_NE(refused.ToString().find(other.origin), std::string::npos) << refused;
    EXPECT_NE(refused.ToString().find(other.genesis_leaf_hash.ToHex()), std::string::npos);
  }
}

// A flip costs at most the slot that it hits; nothing else is ever read from a damaged guard.
TEST_F(GuardTest, EveryFlippedByte) {
  {
    auto guard = Create();
    ASSERT_TRUE(guard->Record(At(5)).ok());  // slot 2
    ASSERT_TRUE(guard->Record(At(8)).ok());  // slot 1
  }
  ASSERT_EQ(fs::file_size(path_), 3 * kGuardBlockBytes);
  for (size_t at = 0; at < 3 * kGuardBlockBytes; ++at) {
    FlipByte(path_, at, 1 << (at % 8));
    const auto opened = Guard::Open(path_);
    FlipByte(path_, at, 1 << (at % 8));
    if (at < kGuardBlockBytes) {
      ASSERT_EQ(opened.status().code(), absl::StatusCode::kDataLoss) << at;
      EXPECT_NE(opened.status().ToString().find(path_.string()), std::string::npos);
    } else {
      ASSERT_TRUE(opened.ok()) << at << opened.status();
      EXPECT_EQ((*opened)->position(), at < 2 * kGuardBlockBytes ? At(5) : At(8)) << at;
    }
  }
}

TEST_F(GuardTest, BothSlotsBadIsDataLoss) {
  { ASSERT_TRUE(Create()->Record(At(5)).ok()); }
  std::string bad = ReadFile(path_);
  bad[kGuardBlockBytes + 3] ^= 1;
  bad[2 * kGuardBlockBytes + 50] ^= 1;
  WriteFile(path_, bad);
  EXPECT_EQ(Guard::Open(path_).status().code(), absl::StatusCode::kDataLoss);
}

TEST_F(GuardTest, EveryOtherSizeIsDataLoss) {
  Create().reset();
  const std::string good = ReadFile(path_);
  for (size_t size = 0; size < good.size(); size += 61) {
    WriteFile(path_, good.substr(0, size));
    ASSERT_EQ(Guard::Open(path_).status().code(), absl::StatusCode::kDataLoss) << size;
  }
  WriteFile(path_, good + "x");
  EXPECT_EQ(Guard::Open(path_).status().code(), absl::StatusCode::kDataLoss);
}

// A kill inside Record: the new slot written up to any byte, or from any byte on.
TEST_F(GuardTest, TornSlotLeavesTheOtherOne) {
  auto guard = Create();
  ASSERT_TRUE(guard->Record(At(5)).ok());
  const std::string before = ReadFile(path_);
  ASSERT_TRUE(guard->Record(At(8)).ok());
  guard.reset();
  const std::string after = ReadFile(path_);
  for (size_t written = 0; written <= kGuardBlockBytes; written += written < 128 ? 1 : 97) {
    for (bool front : {true, false}) {
      std::string torn = front ? before : after;
      const std::string& other = front ? after : before;
      torn.replace(kGuardBlockBytes, written, other.substr(kGuardBlockBytes, written));
      WriteFile(path_, torn);
      auto opened = Guard::Open(path_);
      ASSERT_TRUE(opened.ok()) << written << opened.status();
      EXPECT_EQ((*opened)->position(), torn == after ? At(8) : At(5)) << written;
      ASSERT_TRUE((*opened)->Record(At(9)).ok());
      opened->reset();
      opened = Guard::Open(path_);
      ASSERT_TRUE(opened.ok());
      EXPECT_EQ((*opened)->position(), At(9));
    }
  }
}

// A slot copied to the other's place, or out of another store's guard, is no slot.
TEST_F(GuardTest, RefreshMendsTheOtherSlot) {
  { ASSERT_TRUE(Create()->Record(At(5)).ok()); }
  for (size_t slot : {size_t{1}, size_t{2}}) {
    std::string bad = ReadFile(path_);
    bad[slot * kGuardBlockBytes + 3] ^= 1;
    WriteFile(path_, bad);
    auto guard = Guard::Open(path_);
    ASSERT_TRUE(guard.ok()) << guard.status();
    const GuardPosition position = (*guard)->position();
    ASSERT_TRUE((*guard)->Refresh().ok());
    EXPECT_EQ((*guard)->position(), position);
    const std::string mended = ReadFile(path_);
    for (int at : {0, 1}) {
      const auto block = std::string_view(mended).substr(
          (static_cast<size_t>(at) + 1) * kGuardBlockBytes, kGuardBlockBytes);
      const auto found = ParseGuardSlot(block, kStore, at);
      ASSERT_TRUE(found.has_value()) << "slot " << at;
    }
  }
}

TEST_F(GuardTest, SlotsDoNotTravel) {
  const GuardSlot content{.sequence = 7, .position = At(3)};
  const std::string slot = FormatGuardSlot(content, kStore, 0);
  EXPECT_TRUE(ParseGuardSlot(slot, kStore, 0).has_value());
  EXPECT_FALSE(ParseGuardSlot(slot, kStore, 1).has_value());
  GuardIdentity other = kStore;
  other.genesis_leaf_hash = Sha256("another genesis");
  EXPECT_FALSE(ParseGuardSlot(slot, other, 0).has_value());
}

TEST_F(GuardTest, IsLockedWithinTheProcess) {
  auto guard = Create();
  const auto second = Guard::Open(path_);
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  guard.reset();
  EXPECT_TRUE(Guard::Open(path_).ok());
}

TEST_F(GuardTest, IsLockedAgainstOtherProcesses) {
  auto guard = Create();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto opened = Guard::Open(path_);
    _exit(opened.status().code() == absl::StatusCode::kFailedPrecondition ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// After a failed write nobody knows what is on the disk: no second try on the same handle.
TEST_F(GuardTest, AFailedRecordIsFinal) {
  auto guard = Create();
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  rlimit none = old;
  none.rlim_cur = 0;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &none), 0);
  const absl::Status failed = guard->Record(At(2));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(absl::IsUnavailable(failed)) << failed;
  EXPECT_EQ(guard->position(), At(1));
  EXPECT_EQ(guard->Record(At(2)).code(), absl::StatusCode::kFailedPrecondition);
  guard.reset();
  auto opened = Guard::Open(path_);
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ((*opened)->position(), At(1));
  EXPECT_TRUE((*opened)->Record(At(2)).ok());
}

}  // namespace
}  // namespace stele::store::testing
