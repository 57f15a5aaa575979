// Publish streams over a real port of 127.0.0.1, a real store behind it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "core/base/limits.h"
#include "tests/server/rpc/wire/publish_client.h"
#include "tests/server/rpc/wire/rpc_client.h"

namespace stele::server {
namespace {

using std::chrono::milliseconds;

class PublishTest : public ::testing::Test {
 protected:
  // Reads to the end; every receipt verified. Tags with a receipt.
  std::multiset<uint64_t> ReadAll(ClientStream& client) {
    std::multiset<uint64_t> tags;
    v1::PublishResponse response;
    while (client.stream->Read(&response)) {
      EXPECT_GT(response.results_size(), 0);
      for (const auto& result : response.results()) {
        const absl::Status verified =
            VerifyResult(response, result, served_.log.store().log_verifier());
        EXPECT_TRUE(verified.ok()) << verified;
        tags.insert(result.tag());
      }
    }
    return tags;
  }
  v1::PublishRequest Request(int begin, int end, size_t padding = 0) {
    return Publications(served_.log.publisher(), begin, end, padding);
  }
  void WaitForStreams(uint64_t count) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (served_.rpc->Stats().streams != count && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(milliseconds(2));
    }
    EXPECT_EQ(served_.rpc->Stats().streams, count);
  }

  ServedLog served_;
};

TEST_F(PublishTest, AReceiptForEachStatement) {
  ClientStream client(served_.Connect());
  for (int n = 0; n < 300; n += 50) ASSERT_TRUE(client.stream->Write(Request(n, n + 50)));
  client.stream->WritesDone();
  const auto tags = ReadAll(client);
  EXPECT_EQ(tags.size(), 300u);
  EXPECT_EQ(std::set<uint64_t>(tags.begin(), tags.end()).size(), 300u);
  EXPECT_TRUE(client.stream->Finish().ok());
  WaitForStreams(0);
  EXPECT_EQ(served_.calls.Get(Method::kPublish, absl::StatusCode::kOk), 1u);
  EXPECT_EQ(served_.rpc->Stats().unanswered_statements, 0u);
  EXPECT_EQ(served_.rpc->Stats().unanswered_bytes, 0u);
}

TEST_F(PublishTest, OneBadItemOfABatchIsItsOwnAnswer) {
  v1::PublishRequest request = Request(0, 4);
  request.mutable_items(1)->set_key_id(std::string(request.items(1).key_id()).replace(0, 1, "?"));
  request.mutable_items(2)->clear_manifests();
  ClientStream client(served_.Connect());
  ASSERT_TRUE(client.stream->Write(request));
  client.stream->WritesDone();
  std::map<uint64_t, std::string> reasons;
  v1::PublishResponse response;
  while (client.stream->Read(&response)) {
    for (const auto& result : response.results()) {
      reasons[result.tag()] = result.has_error() ? InfoOf(result.error()).reason() : "";
    }
  }
  EXPECT_TRUE(client.stream->Finish().ok());
  EXPECT_EQ(reasons.size(), 4u);
  EXPECT_EQ(reasons[0], "");
  EXPECT_EQ(reasons[1], "UNKNOWN_KEY");
  EXPECT_EQ(reasons[2], "MISSING_CONTENT");
  EXPECT_EQ(reasons[3], "");
  EXPECT_EQ(served_.log.size(), 4u);
}

TEST_F(PublishTest, TheSameAgainIsAReplay) {
  ClientStream client(served_.Connect());
  v1::PublishResponse first, second;
  ASSERT_TRUE(client.stream->Write(Request(0, 1)));
  ASSERT_TRUE(client.stream->Read(&first));
  ASSERT_TRUE(client.stream->Write(Request(0, 1)));
  ASSERT_TRUE(client.stream->Read(&second));
  EXPECT_FALSE(first.results(0).receipt().replayed());
  EXPECT_TRUE(second.results(0).receipt().replayed());
  EXPECT_EQ(first.results(0).receipt().index(), second.results(0).receipt().index());
  client.stream->WritesDone();
  EXPECT_TRUE(client.stream->Finish().ok());
}

// The client writes all the time and reads nothing: what the server holds for it stays within the
// window and one request; then it reads, and everything is answered.
TEST_F(PublishTest, ASlowReaderBoundsItself) {
  constexpr int kStatements = 4000, kBatch = 100;
  std::vector<v1::PublishRequest> requests;
  for (int n = 0; n < kStatements; n += kBatch) requests.push_back(Request(n, n + kBatch, 300));
  ClientStream client(served_.Connect());
  std::atomic<bool> wrote_all{false};
  std::thread writer([&] {
    for (const auto& request : requests) EXPECT_TRUE(client.stream->Write(request));
    client.stream->WritesDone();
    wrote_all = true;
  });
  uint64_t most = 0, last = 0;
  int still = 0;
  for (int i = 0; i < 600 && still < 20; ++i) {  // until nothing moves for 400 ms
    std::this_thread::sleep_for(milliseconds(20));
    most = std::max(most, served_.rpc->Stats().unanswered_statements);
    const uint64_t now = served_.log.size();
    still = now == last ? still + 1 : 0;
    last = now;
  }
  EXPECT_EQ(still, 20);
  EXPECT_LT(last, static_cast<uint64_t>(kStatements));  // the server stopped taking
  EXPECT_FALSE(wrote_all);
  EXPECT_GE(most, limits::kStreamWindow);
  EXPECT_LE(most, limits::kStreamWindow + kBatch);
  EXPECT_EQ(ReadAll(client).size(), static_cast<size_t>(kStatements));
  writer.join();
  EXPECT_TRUE(client.stream->Finish().ok());
}

// One stream that does not read is no reason for another to wait.
TEST_F(PublishTest, OthersGoOnBesideASlowReader) {
  ClientStream slow(served_.Connect());
  std::thread writer([&] {
    for (int n = 0; n < 2000; n += 100) {
      if (!slow.stream->Write(Request(n, n + 100, 300))) return;
    }
  });
  std::this_thread::sleep_for(milliseconds(200));
  ClientStream client(served_.Connect());
  ASSERT_TRUE(client.stream->Write(Request(5000, 5100)));
  client.stream->WritesDone();
  EXPECT_EQ(ReadAll(client).size(), 100u);
  EXPECT_TRUE(client.stream->Finish().ok());
  slow.context.TryCancel();
  writer.join();
  EXPECT_EQ(slow.stream->Finish().error_code(), grpc::CANCELLED);
  WaitForStreams(0);
}

TEST_F(PublishTest, BrokenProtocolEndsTheStreamWithTheLimit) {
  const struct {
    const char* name;
    v1::PublishRequest request;
    const char* reason;
    const char* limit;
  } kCases[] = {
      {"no items", {}, "WRONG_VALUE", ""},
      {"too many items", Request(0, 257), "TOO_LARGE", "request_items"},
      {"too large", Request(0, 26, 1000 * 1000), "TOO_LARGE", "message_bytes"},
  };
  for (const auto& c : kCases) {
    ClientStream client(served_.Connect());
    ASSERT_TRUE(client.stream->Write(Request(1000, 1001)));
    client.stream->Write(c.request);
    EXPECT_EQ(ReadAll(client).size(), 1u) << c.name;  // what came before is answered
    const grpc::Status status = client.stream->Finish();
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT) << c.name << status.error_message();
    const auto info = InfoOf(status);
    EXPECT_EQ(info.reason(), c.reason) << c.name;
    if (*c.limit != 0) EXPECT_EQ(info.metadata().at("limit"), c.limit);
  }
  EXPECT_EQ(served_.log.size(), 3u);
}

TEST_F(PublishTest, AManifestOverItsLimitIsTheItemsAnswer) {
  v1::PublishRequest request = Request(0, 1);
  request.mutable_items(0)->set_manifests(0, std::string(limits::kManifestBytes + 1, ' '));
  ClientStream client(served_.Connect());
  ASSERT_TRUE(client.stream->Write(request));
  client.stream->WritesDone();
  v1::PublishResponse response;
  ASSERT_TRUE(client.stream->Read(&response));
  EXPECT_EQ(InfoOf(response.results(0).error()).reason(), "TOO_LARGE");
  EXPECT_TRUE(client.stream->Finish().ok());
}

// A deadline that passes takes its own stream with it and nothing else.
TEST_F(PublishTest, OneCallersDeadlineIsItsOwn) {
  auto channel = served_.Connect();
  std::vector<std::thread> hasty;
  for (int t = 0; t < 4; ++t) {
    hasty.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        ClientStream client(channel, milliseconds(1 + i));
        const int n = 10'000 + t * 1000 + i * 20;
        client.stream->Write(Request(n, n + 20));
        v1::PublishResponse response;
        while (client.stream->Read(&response)) {
        }
        client.stream->Finish();
      }
    });
  }
  ClientStream patient(channel);
  std::thread writer([&] {
    for (int n = 0; n < 1000; n += 20) EXPECT_TRUE(patient.stream->Write(Request(n, n + 20)));
    patient.stream->WritesDone();
  });
  EXPECT_EQ(ReadAll(patient).size(), 1000u);
  EXPECT_TRUE(patient.stream->Finish().ok());
  writer.join();
  for (std::thread& thread : hasty) thread.join();
  WaitForStreams(0);
}

// The server stops under load: whatever went into the log was answered, and streams end with
// UNAVAILABLE.
TEST_F(PublishTest, DrainUnderLoadAnswersEverythingAccepted) {
  constexpr int kClients = 4;
  std::atomic<uint64_t> receipts{0}, stopping{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&, c] {
      ClientStream client(served_.Connect());
      std::thread writer([&] {
        for (int n = c * 100'000;; n += 20) {
          if (!client.stream->Write(Request(n, n + 20))) return;
        }
      });
      v1::PublishResponse response;
      while (client.stream->Read(&response)) {
        for (const auto& result : response.results()) receipts += result.has_receipt();
      }
      writer.join();
      const grpc::Status status = client.stream->Finish();
      if (status.error_code() == grpc::UNAVAILABLE) ++stopping;
    });
  }
  while (receipts < 200) std::this_thread::sleep_for(milliseconds(2));
  served_.rpc->BeginDrain();
  EXPECT_TRUE(served_.log.store().Drain(std::chrono::minutes(1)).ok());
  EXPECT_TRUE(served_.rpc->Stop(std::chrono::steady_clock::now() + std::chrono::seconds(60)));
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(receipts, served_.log.size() - 2);
  EXPECT_EQ(stopping, static_cast<uint64_t>(kClients));
}

TEST_F(PublishTest, StopCutsAClientThatDoesNotReadAtTheDeadline) {
  ClientStream slow(served_.Connect());
  std::thread writer([&] {
    for (int n = 0; n < 4000; n += 100) {
      if (!slow.stream->Write(Request(n, n + 100, 300))) return;
    }
  });
  while (served_.rpc->Stats().unanswered_statements < limits::kStreamWindow) {
    std::this_thread::sleep_for(milliseconds(2));
  }
  served_.rpc->BeginDrain();
  EXPECT_TRUE(served_.log.store().Drain(std::chrono::minutes(1)).ok());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(served_.rpc->Stop(begin + milliseconds(500)));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  writer.join();
  ReadAll(slow);  // what has come this far
  EXPECT_FALSE(slow.stream->Finish().ok());
}

}  // namespace
}  // namespace stele::server
