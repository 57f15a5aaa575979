// What the store does when its disk fails: nothing unacknowledged is shown, nothing acknowledged is
// lost, and the writer never goes on into a state that it does not know.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using testing::Engine;
using testing::SignPublication;
using testing::TestKey;
using testing::TestManifest;
using Outcome = MemoryBackend::Outcome;

class FailureTest : public testing::StoreTestBase, public ::testing::WithParamInterface<Outcome> {
 protected:
  FailureTest() : StoreTestBase(Engine::kMemory) {}

  absl::StatusOr<Receipt> PublishNumber(int n) {
    return PublishOne(SignPublication(TestManifest(n), operator_));
  }
  static absl::Status DiskFull() {
    return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "", "no space left");
  }
  bool WaitUntilWritable() const {
    for (int i = 0; i < 600; ++i) {
      if (store_->write_state().ok()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }
  bool Persisted() const { return GetParam() == Outcome::kPersisted; }
};

INSTANTIATE_TEST_SUITE_P(Flavours, FailureTest,
                         ::testing::Values(Outcome::kLost, Outcome::kPersisted),
                         [](const auto& info) {
                           return info.param == Outcome::kLost ? "Lost" : "Persisted";
                         });

TEST_P(FailureTest, AFailedWriteStopsTheWriterAndReadsGoOn) {
  ASSERT_TRUE(PublishNumber(1).ok());
  home_.memory()->FailNextCommit(GetParam(), absl::UnavailableError("EIO"));
  const auto failed = PublishNumber(2);
  EXPECT_TRUE(absl::IsUnavailable(failed.status())) << failed.status();
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kReadOnly);
  EXPECT_NE(store_->write_state().message().find("restart"), std::string::npos);
  // Even where it is on the disk it is not shown: its checkpoint was never acknowledged.
  EXPECT_EQ(TreeSizeNow(), 2u);
  EXPECT_EQ(ReasonOf(PublishNumber(3).status()), reason::kReadOnly);
  EXPECT_TRUE(PublishNumber(1)->replayed);
  EXPECT_TRUE(Reader()->Entry(EntryIndex{1}).ok());

  Close();
  Open();
  EXPECT_EQ(TreeSizeNow(), Persisted() ? 3u : 2u);
  const auto again = PublishNumber(2);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->index, EntryIndex{2});
  EXPECT_EQ(again->replayed, Persisted());
}

TEST_P(FailureTest, EverythingBehindAFailedWriteIsUnavailable) {
  home_.memory()->FailNextCommit(GetParam(), absl::UnavailableError("EIO"));
  std::vector<PublishItem> items;
  for (uint64_t tag = 0; tag < 300; ++tag) {
    items.push_back(SignPublication(TestManifest(static_cast<int>(tag)), operator_, tag));
  }
  const auto results = Publish(std::move(items));
  EXPECT_EQ(results.size(), 300u);
  for (const auto& [tag, result] : results) {
    EXPECT_TRUE(absl::IsUnavailable(result.status())) << result.status();
  }
  EXPECT_EQ(TreeSizeNow(), 1u);
}

TEST_P(FailureTest, TwoFaultsInARow) {
  home_.memory()->FailNextCommit(GetParam(), absl::UnavailableError("EIO"));
  EXPECT_FALSE(PublishNumber(1).ok());
  Close();
  Open();
  home_.memory()->FailNextCommit(GetParam(), absl::UnavailableError("EIO again"));
  EXPECT_FALSE(PublishNumber(2).ok());
  EXPECT_EQ(ReasonOf(PublishNumber(3).status()), reason::kReadOnly);
  Close();
  Open();
  EXPECT_EQ(TreeSizeNow(), Persisted() ? 3u : 1u);
  ASSERT_TRUE(PublishNumber(2).ok());
}

// The disk fills up between the look at its free space and the write.
TEST_P(FailureTest, AFullDiskHealsByReopeningInTheSameProcess) {
  auto options = testing::StoreHome::Options();
  options.disk_reserve_bytes = 1000;
  Close();
  Open(options);
  ASSERT_TRUE(PublishNumber(1).ok());
  const auto broken = home_.memory();
  broken->FailNextCommit(GetParam(), DiskFull());
  absl::Status failed;
  for (int i = 0; i < 100 && !broken->poisoned(); ++i) {
    broken->SetFreeBytes(5000);
    std::this_thread::sleep_for(std::chrono::milliseconds(110));
    // Makes the writer look, and is refused without a write.
    EXPECT_EQ(ReasonOf(PublishOne(SignPublication(TestManifest(9), TestKey("recovery"))).status()),
              reason::kRole);
    broken->SetFreeBytes(10);
    failed = PublishNumber(2).status();
  }
  EXPECT_TRUE(absl::IsUnavailable(failed)) << failed;
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kDiskFull);
  EXPECT_TRUE(absl::IsResourceExhausted(PublishNumber(3).status()));
  EXPECT_TRUE(PublishNumber(1)->replayed);
  EXPECT_EQ(TreeSizeNow(), 2u);
  // More than the reserve, but opening again would need more: reads go on meanwhile.
  broken->SetFreeBytes(5000);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  EXPECT_EQ(home_.memory(), broken) << "reopened without room";
  EXPECT_TRUE(Reader()->Entry(EntryIndex{1}).ok());

  broken->SetFreeBytes(uint64_t{1} << 30);
  ASSERT_TRUE(WaitUntilWritable());
  EXPECT_NE(home_.memory(), broken);
  EXPECT_EQ(store_->Stats().reopened, 1u);
  EXPECT_EQ(TreeSizeNow(), Persisted() ? 3u : 2u);
  const auto again = PublishNumber(2);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->replayed, Persisted());
  ASSERT_TRUE(PublishNumber(3).ok());
}

TEST_P(FailureTest, BelowTheReserveNothingIsWritten) {
  auto options = testing::StoreHome::Options();
  options.disk_reserve_bytes = 1000;
  Close();
  Open(options);
  ASSERT_TRUE(PublishNumber(1).ok());
  const auto broken = home_.memory();
  broken->SetFreeBytes(10);
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  // Below the reserve the write is not even tried.
  const auto early = PublishNumber(2);
  EXPECT_TRUE(absl::IsResourceExhausted(early.status()));
  EXPECT_EQ(ReasonOf(early.status()), reason::kDiskFull);
  EXPECT_EQ(ReasonOf(store_->write_state()), reason::kDiskFull);
  EXPECT_TRUE(PublishNumber(1)->replayed);
  EXPECT_EQ(TreeSizeNow(), 2u);
  EXPECT_FALSE(broken->poisoned());
  broken->SetFreeBytes(100000);
  ASSERT_TRUE(WaitUntilWritable());
  // The writer looks for itself, at most every 100 ms.
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  EXPECT_TRUE(PublishNumber(2).ok());
  EXPECT_EQ(home_.memory(), broken);
}

class ReadFailureTest : public testing::StoreTestBase {
 protected:
  ReadFailureTest() : StoreTestBase(Engine::kMemory) {}
};

// An error of the replay index is never taken for "new".
TEST_F(ReadFailureTest, ReplayIndex) {
  const auto item = SignPublication(TestManifest(1), operator_);
  ASSERT_TRUE(PublishOne(item).ok());
  home_.memory()->SetReplayReadError(absl::UnavailableError("EIO"));
  EXPECT_TRUE(absl::IsUnavailable(PublishOne(item).status()));
  EXPECT_TRUE(
      absl::IsUnavailable(PublishOne(SignPublication(TestManifest(2), operator_)).status()));
  EXPECT_EQ(TreeSizeNow(), 2u);
  EXPECT_TRUE(store_->write_state().ok());
  home_.memory()->SetReplayReadError(absl::OkStatus());
  EXPECT_TRUE(PublishOne(item)->replayed);
  EXPECT_EQ(PublishOne(SignPublication(TestManifest(2), operator_))->index, EntryIndex{2});
}

// Neither is an error of a look for copies or for the records that a statement is about.
TEST_F(ReadFailureTest, WhatIsAskedOfTheLogBelow) {
  ASSERT_TRUE(PublishOne(SignPublication(TestManifest(1), operator_)).ok());
  const Digest record = testing::TestRecord(1);
  const std::vector<store::PublishItem> asks = {
      testing::Sign(testing::Note(record), operator_),
      testing::Sign(testing::Retract({record}), operator_),
      testing::SignPayload(testing::ForeignPayload({record}), operator_)};
  home_.memory()->SetReadError(absl::UnavailableError("EIO"));
  for (const auto& item : asks) {
    EXPECT_TRUE(absl::IsUnavailable(PublishOne(item).status())) << PublishOne(item).status();
  }
  EXPECT_EQ(TreeSizeNow(), 2u);
  EXPECT_TRUE(store_->write_state().ok());
  home_.memory()->SetReadError(absl::OkStatus());
  for (const auto& item : asks) EXPECT_TRUE(PublishOne(item).ok());
  for (const auto& item : asks) EXPECT_TRUE(PublishOne(item)->replayed);
}

TEST_F(ReadFailureTest, ContentAndEntries) {
  const auto item = SignPublication(TestManifest(1), operator_);
  ASSERT_TRUE(PublishOne(item).ok());
  home_.memory()->SetReadError(absl::UnavailableError("EIO"));
  EXPECT_TRUE(absl::IsUnavailable(Reader()->Entry(EntryIndex{1}).status()));
  EXPECT_TRUE(absl::IsUnavailable(PublishOne(item).status()));
  home_.memory()->SetReadError(absl::OkStatus());
  EXPECT_TRUE(PublishOne(item)->replayed);
}

}  // namespace
}  // namespace stele::store
