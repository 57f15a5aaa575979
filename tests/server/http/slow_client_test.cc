// Clients that read or write too slowly, or too much at once: each is bounded and hurts nobody
// else.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "server/http/http_server.h"
#include "tests/support/server/http_client.h"

namespace stele::server {
namespace {

using stele::testing::HttpClient;
using stele::testing::HttpGet;
using stele::testing::HttpReply;

constexpr size_t kLarge = 32 * 1024 * 1024;  // more than the sockets of both sides hold
constexpr std::string_view kGet = "GET /large HTTP/1.1\r\nHost: t\r\n\r\n";

std::unique_ptr<HttpServer> Serve(HttpOptions options) {
  options.address = {"127.0.0.1", 0};
  options.threads = 2;
  auto server = HttpServer::Start(options, [](const HttpRequest& request) {
    HttpResponse response;
    response.body = request.path == "/large" ? std::string(kLarge, 'x') : request.path;
    return response;
  });
  EXPECT_TRUE(server.ok()) << server.status();
  return *std::move(server);
}

void WaitUntilAlone(const HttpServer& server) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (server.Stats().connections != 0 && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(server.Stats().connections, 0u);
}

TEST(SlowClientTest, OneThatDoesNotReadItsAnswerIsCutOff) {
  HttpOptions options;
  options.answer_time = std::chrono::milliseconds(100);
  options.answer_bytes_per_second = kLarge * 10;
  auto server = Serve(options);
  HttpClient client(server->address().port);
  client.Send(kGet);
  while (server->Stats().answer_bytes == 0) std::this_thread::yield();
  WaitUntilAlone(*server);
  EXPECT_LT(client.Read().body.size(), kLarge);
}

TEST(SlowClientTest, ALargeAnswerHasMoreTime) {
  HttpOptions options;
  options.answer_time = std::chrono::milliseconds(1);
  options.answer_bytes_per_second = kLarge / 60;
  auto server = Serve(options);
  HttpClient client(server->address().port);
  client.Send(kGet);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(client.Read().body.size(), kLarge);
}

TEST(SlowClientTest, WhatIsBeingSentIsBounded) {
  HttpOptions options;
  options.answers_bytes = kLarge + kLarge / 2;
  auto server = Serve(options);
  HttpClient first(server->address().port);
  first.Send(kGet);  // and does not read yet
  while (server->Stats().answer_bytes == 0) std::this_thread::yield();
  const HttpReply second = HttpGet(server->address().port, "/large");
  EXPECT_EQ(second.status, 503);
  EXPECT_EQ(second.headers.at("retry-after"), "5");
  EXPECT_EQ(second.headers.at("cache-control"), "no-store");
  EXPECT_EQ(HttpGet(server->address().port, "/small").body, "/small");
  EXPECT_EQ(first.Read().body.size(), kLarge);
  // There is room again, and a single one always fits.
  EXPECT_EQ(HttpGet(server->address().port, "/large").body.size(), kLarge);
}

TEST(SlowClientTest, ASingleAnswerAlwaysFits) {
  HttpOptions options;
  options.answers_bytes = 1;
  auto server = Serve(options);
  EXPECT_EQ(HttpGet(server->address().port, "/large").body.size(), kLarge);
}

TEST(SlowClientTest, AHeaderByteByByteIsStillARequest) {
  auto server = Serve({});
  HttpClient client(server->address().port);
  for (char c : std::string("GET /slow HTTP/1.1\r\nHost: t\r\n\r\n")) client.Send({&c, 1});
  EXPECT_EQ(client.Read().body, "/slow");
}

TEST(SlowClientTest, ManyPipelinedRequestsAreAnsweredInOrder) {
  auto server = Serve({});
  HttpClient client(server->address().port);
  std::string requests;
  for (int i = 0; i < 2000; ++i) {
    requests +=
        (i % 7 == 3 ? "HEAD /" : "GET /") + std::to_string(i) + " HTTP/1.1\r\nHost: t\r\n\r\n";
  }
  std::thread sending([&] { client.Send(requests); });
  for (int i = 0; i < 2000; ++i) {
    const HttpReply reply = client.Read(i % 7 == 3);
    ASSERT_EQ(reply.status, 200) << i;
    if (i % 7 != 3) ASSERT_EQ(reply.body, "/" + std::to_string(i));
  }
  sending.join();
}

// What follows a refused request on the same connection is not answered.
TEST(SlowClientTest, ARefusalEndsThePipeline) {
  auto server = Serve({});
  HttpClient client(server->address().port);
  client.Send(
      "GET /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
      "GET /smuggled HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(client.Read().status, 501);
  EXPECT_TRUE(client.ClosedWithin(5));
  EXPECT_EQ(server->Stats().requests, 0u);
}

}  // namespace
}  // namespace stele::server
