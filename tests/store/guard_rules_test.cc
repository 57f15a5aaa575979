// Kills, copies and rollbacks: what the guard lets be continued, and what it refuses.
#include <gtest/gtest.h>

#include <filesystem>

#include "store/log/guard.h"
#include "tests/store/backend/support/folder.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;

using stele::testing::Engine;
using stele::testing::SignPublication;
using stele::testing::TempDir;
using stele::testing::TestKey;
using stele::testing::TestManifest;
using testing::CopyFolder;

class GuardRulesTest : public stele::testing::StoreTestBase {
 protected:
  GuardRulesTest() : StoreTestBase(Engine::kRocksDb) {}

  void PublishNumbers(int from, int to) {
    std::vector<PublishItem> items;
    for (int n = from; n < to; ++n) {
      items.push_back(SignPublication(TestManifest(n), operator_, static_cast<uint64_t>(n)));
    }
    for (const auto& [tag, result] : Publish(std::move(items))) {
      ASSERT_TRUE(result.ok()) << result.status();
    }
  }

  // What a kill -9 now would leave: the files as they are, while the store has them open.
  void CopyAsKilled(const fs::path& to) const {
    fs::copy_file(home_.guard(), to / "store.guard");
    CopyFolder(home_.dir(), to / "store");
    fs::remove(to / "store" / "db" / "LOCK");
  }
  static absl::StatusOr<std::unique_ptr<Store>> OpenIn(const fs::path& folder,
                                                       bool accept_no_guard = false) {
    OpenOptions options = stele::testing::StoreHome::Options();
    options.dir = folder / "store";
    options.guard = folder / "store.guard";
    options.accept_no_guard = accept_no_guard;
    return Store::Open(options);
  }
};

TEST_F(GuardRulesTest, AKillLosesNothingThatWasAcknowledged) {
  PublishNumbers(0, 10);
  for (int round = 1; round < 4; ++round) {
    const TempDir killed;
    CopyAsKilled(killed.path());
    const Head head = Reader()->head();
    const auto copy = OpenIn(killed.path());
    ASSERT_TRUE(copy.ok()) << copy.status();
    EXPECT_EQ((*(*copy)->GetReader())->head(), head);
    EXPECT_EQ(stele::testing::CheckStore(**copy), absl::OkStatus());
    PublishNumbers(round * 100, round * 100 + 90);
  }
}

TEST_F(GuardRulesTest, ARolledBackStoreIsRefused) {
  PublishNumbers(0, 5);
  const TempDir old;
  CopyAsKilled(old.path());
  PublishNumbers(5, 8);
  // Old data under the guard of today.
  fs::copy_file(home_.guard(), old.path() / "store.guard", fs::copy_options::overwrite_existing);
  const absl::Status refused = OpenIn(old.path()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_NE(refused.message().find("acknowledged"), std::string::npos);
  EXPECT_FALSE(OpenIn(old.path(), /*accept_no_guard=*/true).ok());
}

TEST_F(GuardRulesTest, AnotherHistoryIsRefused) {
  PublishNumbers(0, 5);
  const TempDir other;
  CopyAsKilled(other.path());
  PublishNumbers(5, 8);
  {
    // The copy lives on with other statements, further than the original.
    auto copy = OpenIn(other.path());
    ASSERT_TRUE(copy.ok()) << copy.status();
    const auto sink = NewSink();
    std::vector<PublishItem> items;
    for (uint64_t n = 0; n < 10; ++n) {
      items.push_back(SignPublication(TestManifest(static_cast<int>(1000 + n)), operator_, n));
    }
    (*copy)->Publish(std::move(items), sink);
    ASSERT_EQ(sink->Wait(10).size(), 10u);
  }
  fs::copy_file(home_.guard(), other.path() / "store.guard", fs::copy_options::overwrite_existing);
  const absl::Status refused = OpenIn(other.path()).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_NE(refused.message().find("another history"), std::string::npos) << refused;
}

TEST_F(GuardRulesTest, AGuardBehindTheHeadIsNormalAndBroughtUp) {
  PublishNumbers(0, 5);
  const TempDir killed;
  fs::copy_file(home_.guard(), killed.path() / "store.guard");
  PublishNumbers(5, 300);
  const Head head = Reader()->head();
  CopyFolder(home_.dir(), killed.path() / "store");
  {
    const auto copy = OpenIn(killed.path());
    ASSERT_TRUE(copy.ok()) << copy.status();
    EXPECT_EQ((*(*copy)->GetReader())->head(), head);
  }
  const auto guard = Guard::Open(killed.path() / "store.guard");
  ASSERT_TRUE(guard.ok());
  EXPECT_EQ((*guard)->position().size, head.size);
  EXPECT_EQ((*guard)->position().root, head.root);
}

TEST_F(GuardRulesTest, AMissingGuardNeedsAWord) {
  PublishNumbers(0, 3);
  const Head head = Reader()->head();
  Close();
  fs::remove(home_.guard());
  const auto refused = home_.Open();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused.status())) << refused.status();
  EXPECT_NE(refused.status().message().find("--accept-no-guard"), std::string::npos);
  OpenOptions options = stele::testing::StoreHome::Options();
  options.accept_no_guard = true;
  Open(options);
  EXPECT_EQ(Reader()->head(), head);
  Close();
  const auto guard = Guard::Open(home_.guard());
  ASSERT_TRUE(guard.ok()) << guard.status();
  EXPECT_EQ((*guard)->position().size, head.size);
}

TEST_F(GuardRulesTest, AnotherStoresGuardIsRefused) {
  stele::testing::StoreHome other(Engine::kRocksDb, TimeMs{1'700'000'000'000});
  Close();
  fs::copy_file(other.guard(), home_.guard(), fs::copy_options::overwrite_existing);
  const auto refused = home_.Open();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused.status())) << refused.status();
  fs::remove(home_.guard());
  OpenOptions options = stele::testing::StoreHome::Options();
  options.accept_no_guard = true;
  Open(options);
}

}  // namespace
}  // namespace stele::store
