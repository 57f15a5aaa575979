// The publisher against trouble: cut streams, servers that ask to wait, refusals, silence.
#include "client/publisher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/base/refusal.h"
#include "google/rpc/error_details.pb.h"
#include "tests/client/served_log.h"

namespace stele::client {
namespace {

google::rpc::Status Error(absl::StatusCode code, std::string_view reason,
                          std::optional<int> retry_ms = std::nullopt) {
  google::rpc::Status status;
  status.set_code(static_cast<int>(code));
  status.set_message("as the test says");
  google::rpc::ErrorInfo info;
  info.set_domain("stele");
  info.set_reason(std::string(reason));
  status.add_details()->PackFrom(info);
  if (retry_ms) {
    google::rpc::RetryInfo retry;
    retry.mutable_retry_delay()->set_nanos(*retry_ms * 1'000'000);
    status.add_details()->PackFrom(retry);
  }
  return status;
}

class PublisherTest : public ServedLogTest {
 protected:
  // Each record its own statement.
  std::vector<OutgoingStatement> Singles(int count) const {
    const int first = Fresh(count);
    std::vector<OutgoingStatement> statements;
    for (int n = first; n < first + count; ++n) statements.push_back(StatementOf(n, n + 1));
    return statements;
  }
  uint64_t LogSize() const { return fetcher_->GetHead()->checkpoint.size.value(); }
};

TEST_F(PublisherTest, ManyStatementsEachAnsweredOnce) {
  const uint64_t before = LogSize();
  const Answers answers = Publish(Singles(700));
  ASSERT_TRUE(answers.flushed.ok()) << answers.flushed;
  std::vector<bool> taken(700);
  for (const auto& answer : answers.by_tag) {
    ASSERT_TRUE(answer.has_value());
    ASSERT_TRUE(answer->ok()) << answer->status();
    EXPECT_FALSE((*answer)->replayed);
    const uint64_t place = (*answer)->index.value() - before;
    ASSERT_LT(place, 700u);
    EXPECT_FALSE(taken[place]) << "one entry for two statements";
    taken[place] = true;
  }
  EXPECT_EQ(LogSize(), before + 700);
}

TEST_F(PublisherTest, CutStreamsAreResumedWithoutDuplicates) {
  const uint64_t before = LogSize();
  std::atomic<int> requests = 0;
  lies().cut = [&](const v1::PublishRequest&) { return ++requests % 2 == 1; };
  const Answers answers = Publish(Singles(300));
  ASSERT_TRUE(answers.flushed.ok()) << answers.flushed;
  EXPECT_GE(requests, 2);
  bool resent = false;
  for (const auto& answer : answers.by_tag) {
    ASSERT_TRUE(answer.has_value() && answer->ok());
    resent = resent || ((*answer)->resent && (*answer)->replayed);
  }
  EXPECT_TRUE(resent) << "the first request was committed and its answer lost";
  EXPECT_EQ(LogSize(), before + 300);
}

TEST_F(PublisherTest, WaitsWhereTheServerAsksTo) {
  std::atomic<int> asked = 0;
  lies().refuse = [&](const v1::StatementItem&) -> std::optional<google::rpc::Status> {
    if (++asked > 20) return std::nullopt;
    return asked % 2 == 0 ? Error(absl::StatusCode::kResourceExhausted, reason::kQueueFull, 30)
                          : Error(absl::StatusCode::kUnavailable, reason::kStopping);
  };
  const Answers answers = Publish(Singles(10));
  EXPECT_TRUE(answers.flushed.ok()) << answers.flushed;
  for (const auto& answer : answers.by_tag) EXPECT_TRUE(answer.has_value() && answer->ok());
}

TEST_F(PublisherTest, ALimitWithoutADelayIsARefusal) {
  lies().refuse = [](const v1::StatementItem&) {
    return Error(absl::StatusCode::kResourceExhausted, reason::kTooLarge);
  };
  const Answers answers = Publish(Singles(2));
  EXPECT_TRUE(answers.flushed.ok());
  for (const auto& answer : answers.by_tag) {
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(ReasonOf(answer->status()), reason::kTooLarge);
  }
}

TEST_F(PublisherTest, OneRefusedStatementLeavesTheOthers) {
  std::vector<OutgoingStatement> statements = Singles(3);
  statements[1].manifests.clear();
  const Answers answers = Publish(statements);
  EXPECT_TRUE(answers.flushed.ok());
  EXPECT_TRUE(answers.by_tag[0]->ok());
  EXPECT_EQ(answers.by_tag[1]->status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(answers.by_tag[2]->ok());
}

TEST_F(PublisherTest, GivesUpAfterTheTimeout) {
  ConnectOptions options;
  options.address = "127.0.0.1:1";
  options.timeout = std::chrono::milliseconds(400);
  const Connection nobody(options);
  std::atomic<int> decided = 0;
  std::atomic<int> troubles = 0;
  PublisherOptions publisher_options;
  publisher_options.on_trouble = [&](const absl::Status&, size_t) { ++troubles; };
  Publisher publisher(nobody, *verifier_, publisher_options,
                      [&](uint64_t, absl::StatusOr<Published> result) {
                        EXPECT_TRUE(absl::IsUnavailable(result.status())) << result.status();
                        ++decided;
                      });
  const auto begin = std::chrono::steady_clock::now();
  for (uint64_t tag = 0; tag < 3; ++tag) {
    ASSERT_TRUE(publisher.Send(tag, StatementOf(0, 1)).ok());
  }
  EXPECT_TRUE(absl::IsUnavailable(publisher.Flush()));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(400));
  EXPECT_EQ(decided, 3);
  EXPECT_GE(troubles, 1);
  EXPECT_TRUE(absl::IsUnavailable(publisher.Send(9, StatementOf(0, 1))));
}

TEST_F(PublisherTest, GivesUpOnSilence) {
  lies().refuse = [](const v1::StatementItem&) {
    return Error(absl::StatusCode::kUnavailable, reason::kStopping, 10);
  };
  ConnectOptions options;
  options.address = world_->liar->address();
  options.timeout = std::chrono::milliseconds(300);
  const Connection connection(options);
  int decided = 0;
  {
    Publisher publisher(connection, *verifier_, {}, [&](uint64_t, absl::StatusOr<Published> r) {
      EXPECT_TRUE(absl::IsUnavailable(r.status()));
      ++decided;
    });
    ASSERT_TRUE(publisher.Send(0, StatementOf(0, 1)).ok());
    EXPECT_TRUE(absl::IsUnavailable(publisher.Flush()));
  }
  EXPECT_EQ(decided, 1);
}

TEST_F(PublisherTest, StoppingDecidesWhatIsLeft) {
  lies().refuse = [](const v1::StatementItem&) {
    return Error(absl::StatusCode::kUnavailable, reason::kStopping);
  };
  int decided = 0;
  {
    Publisher publisher(*connection_, *verifier_, {}, [&](uint64_t, absl::StatusOr<Published> r) {
      EXPECT_TRUE(absl::IsCancelled(r.status()));
      ++decided;
    });
    ASSERT_TRUE(publisher.Send(0, StatementOf(0, 1)).ok());
    ASSERT_TRUE(publisher.Send(1, StatementOf(1, 2)).ok());
  }
  EXPECT_EQ(decided, 2);
}

TEST_F(PublisherTest, SurvivesARestartOfTheServer) {
  const std::vector<OutgoingStatement> statements = Singles(400);
  std::atomic<int> requests = 0;
  lies().cut = [&](const v1::PublishRequest&) {
    if (++requests != 2) return false;
    world_->steled->Kill();
    world_->steled->Start();
    return true;
  };
  const uint64_t before = LogSize();
  const Answers answers = Publish(statements);
  ASSERT_TRUE(answers.flushed.ok()) << answers.flushed;
  for (const auto& answer : answers.by_tag) EXPECT_TRUE(answer.has_value() && answer->ok());
  EXPECT_EQ(LogSize(), before + 400);
}

}  // namespace
}  // namespace stele::client
