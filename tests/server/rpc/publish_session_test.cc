// A Publish stream without gRPC: a transport that the test turns by hand, a real store behind it.
#include "server/rpc/publish_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "server/rpc/status.h"
#include "tests/support/server/test_log.h"

namespace stele::server {
namespace {

using stele::testing::SignPublication;
using stele::testing::TestManifest;

// Starts nothing by itself: the test completes reads and writes.
class HandWire final : public PublishWire {
 public:
  void StartRead(v1::PublishRequest* request) override {
    MutexLock lock(mutex_);
    EXPECT_EQ(request_, nullptr) << "two reads at once";
    request_ = request;
    changed_.NotifyAll();
  }
  void StartWrite(const v1::PublishResponse* response) override {
    MutexLock lock(mutex_);
    EXPECT_EQ(response_, nullptr) << "two writes at once";
    response_ = response;
    changed_.NotifyAll();
  }
  void Finish(const absl::Status& status) override {
    MutexLock lock(mutex_);
    EXPECT_FALSE(end_.has_value()) << "ended twice";
    end_ = status;
    changed_.NotifyAll();
  }

  v1::PublishRequest* TakeRead() { return Wait(request_); }
  const v1::PublishResponse* TakeWrite() { return Wait(response_); }
  absl::Status WaitEnd() {
    MutexLock lock(mutex_);
    while (!end_ && changed_.WaitUntil(mutex_, deadline_)) {
    }
    return end_.value_or(absl::DeadlineExceededError("the stream did not end"));
  }
  bool reading() {
    MutexLock lock(mutex_);
    return request_ != nullptr;
  }
  bool writing() {
    MutexLock lock(mutex_);
    return response_ != nullptr;
  }
  bool ended() {
    MutexLock lock(mutex_);
    return end_.has_value();
  }

 private:
  template <class T>
  T* Wait(T*& slot) {
    MutexLock lock(mutex_);
    while (slot == nullptr && changed_.WaitUntil(mutex_, deadline_)) {
    }
    return std::exchange(slot, nullptr);
  }

  const std::chrono::steady_clock::time_point deadline_ =
      std::chrono::steady_clock::now() + std::chrono::minutes(1);
  Mutex mutex_;
  CondVar changed_;
  v1::PublishRequest* request_ = nullptr;
  const v1::PublishResponse* response_ = nullptr;
  std::optional<absl::Status> end_;
};

class PublishSessionTest : public ::testing::Test {
 protected:
  void SetUp() override { session_->Start(); }

  // Statements [begin, end) as one request.
  void Send(int begin, int end) {
    v1::PublishRequest* request = wire_.TakeRead();
    ASSERT_NE(request, nullptr);
    request->Clear();
    for (int n = begin; n < end; ++n) {
      *request->add_items() =
          ToWire(SignPublication(TestManifest(n), log_.publisher(), static_cast<uint64_t>(n)));
    }
    session_->OnRead(true);
  }
  // Completes writes until `count` results came; their tags.
  std::multiset<uint64_t> Answers(size_t count) {
    std::multiset<uint64_t> tags;
    while (tags.size() < count) {
      const v1::PublishResponse* response = wire_.TakeWrite();
      if (response == nullptr) return tags;
      for (const auto& result : response->results()) {
        EXPECT_TRUE(result.has_receipt()) << result.error().message();
        tags.insert(result.tag());
      }
      session_->OnWritten(true);
    }
    return tags;
  }
  void HalfClose() {
    ASSERT_NE(wire_.TakeRead(), nullptr);
    session_->OnRead(false);
  }

  TestLog log_;
  PublishLoad load_;
  HandWire wire_;
  std::shared_ptr<PublishSession> session_ =
      std::make_shared<PublishSession>(log_.store(), load_, wire_, "192.0.2.7");
};

TEST_F(PublishSessionTest, AnswersThenEndsWhenTheClientIsDone) {
  Send(0, 3);
  EXPECT_EQ(Answers(3), (std::multiset<uint64_t>{0, 1, 2}));
  HalfClose();
  EXPECT_TRUE(wire_.WaitEnd().ok());
  session_->OnDone();
  EXPECT_EQ(load_.statements, 0u);
}

TEST_F(PublishSessionTest, EndsOnlyAfterTheLastAnswerIsWritten) {
  Send(0, 1);
  HalfClose();
  ASSERT_NE(wire_.TakeWrite(), nullptr);
  EXPECT_FALSE(wire_.ended());
  EXPECT_EQ(load_.statements, 1u);  // counted until it is written
  session_->OnWritten(true);
  EXPECT_TRUE(wire_.WaitEnd().ok());
  EXPECT_EQ(load_.statements, 0u);
  EXPECT_EQ(load_.bytes, 0u);
}

TEST_F(PublishSessionTest, TheWindowStopsReadingUntilAnswersAreWritten) {
  const int request = static_cast<int>(limits::kRequestItems);
  const int window = static_cast<int>(limits::kStreamWindow);
  int sent = 0;
  for (; sent < window; sent += request) Send(sent, sent + request);
  log_.WaitUntilIdle();
  EXPECT_FALSE(wire_.reading());  // all are in the log, but nobody has read an answer
  EXPECT_EQ(load_.statements, static_cast<uint64_t>(window));
  ASSERT_NE(wire_.TakeWrite(), nullptr);
  session_->OnWritten(true);
  EXPECT_TRUE(wire_.reading());
}

TEST_F(PublishSessionTest, AProtocolFaultEndsTheStreamAfterWhatWasTakenIsAnswered) {
  Send(7, 8);
  v1::PublishRequest* request = wire_.TakeRead();
  ASSERT_NE(request, nullptr);
  request->Clear();
  session_->OnRead(true);
  EXPECT_EQ(Answers(1), (std::multiset<uint64_t>{7}));
  const absl::Status end = wire_.WaitEnd();
  EXPECT_EQ(end.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PointerOf(end), "/items");
}

TEST_F(PublishSessionTest, ATagTwiceInOneRequestIsAProtocolFault) {
  v1::PublishRequest* request = wire_.TakeRead();
  ASSERT_NE(request, nullptr);
  for (int i = 0; i < 2; ++i) {
    *request->add_items() = ToWire(SignPublication(TestManifest(i), log_.publisher(), 5));
  }
  const uint64_t before = log_.size();
  session_->OnRead(true);
  EXPECT_EQ(wire_.WaitEnd().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(log_.size(), before);  // nothing of that request was taken
}

TEST_F(PublishSessionTest, AnswersAfterACancelledCallGoNowhereSafely) {
  Send(0, 50);
  session_->OnCancelled();
  if (wire_.writing()) session_->OnWritten(false);  // an answer was faster than the cancellation
  EXPECT_TRUE(absl::IsCancelled(wire_.WaitEnd()));
  session_->OnDone();
  EXPECT_EQ(load_.statements, 0u);
  session_.reset();  // the store alone holds it now
  log_.WaitUntilIdle();
  EXPECT_EQ(log_.size(), 52u);
}

TEST_F(PublishSessionTest, ACancelledCallEndsAfterTheWriteUnderWay) {
  Send(0, 1);
  ASSERT_NE(wire_.TakeWrite(), nullptr);
  session_->OnCancelled();
  EXPECT_FALSE(wire_.ended()) << "gRPC still reads the message";
  session_->OnWritten(false);
  EXPECT_TRUE(absl::IsCancelled(wire_.WaitEnd()));
}

TEST_F(PublishSessionTest, DrainAnswersWhatWasTakenThenEnds) {
  Send(0, 5);
  session_->Drain();
  EXPECT_EQ(Answers(5).size(), 5u);
  const absl::Status end = wire_.WaitEnd();
  EXPECT_EQ(end.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(ReasonOf(end), reason::kStopping);
}

TEST_F(PublishSessionTest, DrainOfAnIdleStreamEndsIt) {
  session_->Drain();
  EXPECT_EQ(ReasonOf(wire_.WaitEnd()), reason::kStopping);
}

TEST_F(PublishSessionTest, AFailedWriteEndsTheCall) {
  Send(0, 1);
  ASSERT_NE(wire_.TakeWrite(), nullptr);
  session_->OnWritten(false);
  EXPECT_TRUE(absl::IsCancelled(wire_.WaitEnd()));
}

}  // namespace
}  // namespace stele::server
