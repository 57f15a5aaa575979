#include "client/publish_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace stele::client {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;

PendingPtr Make(uint64_t tag, size_t bytes = 10) {
  auto pending = std::make_shared<PendingStatement>();
  pending->tag = tag;
  pending->bytes = bytes;
  return pending;
}

std::vector<uint64_t> Tags(const std::vector<PendingPtr>& batch) {
  std::vector<uint64_t> tags;
  for (const PendingPtr& pending : batch) tags.push_back(pending->tag);
  return tags;
}

PublisherOptions Options() {
  PublisherOptions options;
  options.window_statements = 4;
  options.window_bytes = 100;
  options.request_statements = 2;
  options.request_bytes = 50;
  return options;
}

class PublishQueueTest : public ::testing::Test {
 protected:
  PublishQueue queue_{Options(), milliseconds(100)};
};

TEST_F(PublishQueueTest, BatchesByNumberAndBytes) {
  for (const PendingPtr& pending : {Make(1), Make(2), Make(3, 45), Make(4)}) {
    ASSERT_TRUE(queue_.Add(pending).ok());
  }
  queue_.StreamOpened();
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(1, 2));
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(3));
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(4));
}

TEST_F(PublishQueueTest, AFullWindowWaitsForADecision) {
  for (uint64_t tag = 0; tag < 4; ++tag) ASSERT_TRUE(queue_.Add(Make(tag)).ok());
  queue_.StreamOpened();
  queue_.TakeBatch();
  std::thread reader([this] { queue_.Release(*queue_.Extract(0)); });
  EXPECT_TRUE(queue_.Add(Make(9)).ok());
  reader.join();
}

TEST_F(PublishQueueTest, AFullWindowWaitsOnlySoLong) {
  for (uint64_t tag = 0; tag < 4; ++tag) ASSERT_TRUE(queue_.Add(Make(tag)).ok());
  EXPECT_TRUE(absl::IsDeadlineExceeded(queue_.Add(Make(9))));
  EXPECT_TRUE(absl::IsDeadlineExceeded(queue_.WaitUntilEmpty()));
}

TEST_F(PublishQueueTest, AFailureIsKnownBeforeItsStatementIsDecided) {
  for (uint64_t tag = 0; tag < 2; ++tag) ASSERT_TRUE(queue_.Add(Make(tag)).ok());
  queue_.StreamOpened();
  queue_.TakeBatch();
  PendingPtr lie = queue_.Extract(0);
  queue_.Fail(absl::DataLossError("lie"));
  EXPECT_TRUE(absl::IsDataLoss(queue_.Add(Make(5))));
  EXPECT_TRUE(queue_.TakeBatch().empty());
  std::thread driver([&] {
    queue_.Release(*lie);
    for (const PendingPtr& left : queue_.Close(absl::UnknownError("late"))) queue_.Release(*left);
  });
  EXPECT_TRUE(absl::IsDataLoss(queue_.WaitUntilEmpty())) << "waits for all, tells the first reason";
  driver.join();
}

TEST_F(PublishQueueTest, ALargeStatementGoesAlone) {
  ASSERT_TRUE(queue_.Add(Make(1, 1000)).ok());
  EXPECT_EQ(queue_.Add(Make(2)).code(), absl::StatusCode::kDeadlineExceeded);
  queue_.StreamOpened();
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(1));
}

TEST_F(PublishQueueTest, WhatWasSentIsSentAgainInOrder) {
  for (uint64_t tag = 1; tag <= 4; ++tag) ASSERT_TRUE(queue_.Add(Make(tag)).ok());
  queue_.StreamOpened();
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(1, 2));
  const PublishQueue::Loss first = queue_.StreamLost(absl::UnavailableError("lost"));
  EXPECT_EQ(first.unanswered, 2u);
  EXPECT_FALSE(first.progressed);
  EXPECT_TRUE(queue_.WaitForWork(PublishQueue::Clock::now()));
  queue_.StreamOpened();
  std::vector<PendingPtr> again = queue_.TakeBatch();
  EXPECT_THAT(Tags(again), ElementsAre(1, 2));
  EXPECT_EQ(again[0]->sends, 2);
  queue_.Release(*queue_.Extract(1));
  const PublishQueue::Loss second = queue_.StreamLost(absl::UnavailableError("lost"));
  EXPECT_EQ(second.unanswered, 1u);
  EXPECT_TRUE(second.progressed);
  queue_.StreamOpened();
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(2, 3));
}

TEST_F(PublishQueueTest, AnAnswerIsTakenOnce) {
  ASSERT_TRUE(queue_.Add(Make(1)).ok());
  EXPECT_EQ(queue_.Extract(1), nullptr) << "not sent yet";
  queue_.StreamOpened();
  queue_.TakeBatch();
  EXPECT_EQ(queue_.Extract(2), nullptr);
  EXPECT_NE(queue_.Extract(1), nullptr);
  EXPECT_EQ(queue_.Extract(1), nullptr);
}

TEST_F(PublishQueueTest, WhatIsDelayedComesBackAfterItsTime) {
  ASSERT_TRUE(queue_.Add(Make(1)).ok());
  queue_.StreamOpened();
  queue_.TakeBatch();
  const auto begin = PublishQueue::Clock::now();
  EXPECT_TRUE(queue_.Delay(queue_.Extract(1), milliseconds(60), absl::UnavailableError("later")));
  EXPECT_THAT(Tags(queue_.TakeBatch()), ElementsAre(1));
  EXPECT_GE(PublishQueue::Clock::now() - begin, milliseconds(60));
  EXPECT_EQ(queue_.last_trouble().code(), absl::StatusCode::kUnavailable);
}

TEST_F(PublishQueueTest, ClosingGivesEverythingAndWakesEverybody) {
  for (uint64_t tag = 1; tag <= 4; ++tag) ASSERT_TRUE(queue_.Add(Make(tag)).ok());
  queue_.StreamOpened();
  queue_.TakeBatch();
  PendingPtr late = queue_.Extract(1);
  EXPECT_TRUE(queue_.Delay(queue_.Extract(2), milliseconds(60000), absl::UnknownError("")));
  std::thread waiter([this] { EXPECT_TRUE(absl::IsDataLoss(queue_.WaitUntilEmpty())); });
  const std::vector<PendingPtr> left = queue_.Close(absl::DataLossError("lie"));
  EXPECT_THAT(Tags(left), ElementsAre(2, 3, 4));
  for (const PendingPtr& pending : left) queue_.Release(*pending);
  queue_.Release(*late);
  waiter.join();
  EXPECT_FALSE(queue_.Delay(late, milliseconds(1), absl::UnknownError("")));
  EXPECT_TRUE(absl::IsDataLoss(queue_.Add(Make(5))));
  EXPECT_TRUE(queue_.TakeBatch().empty());
  EXPECT_FALSE(queue_.WaitForWork(PublishQueue::Clock::now()));
}

TEST_F(PublishQueueTest, EndOfTheStreamEndsTheWriter) {
  queue_.StreamOpened();
  std::thread reader([this] { queue_.StreamEnded(); });
  EXPECT_TRUE(queue_.TakeBatch().empty());
  reader.join();
}

}  // namespace
}  // namespace stele::client
