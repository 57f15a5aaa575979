// HttpServer over a real socket: what is answered, what is refused, what is bounded.
#include "server/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/server/http_client.h"

namespace stele::server {
namespace {

using stele::testing::HttpClient;
using stele::testing::HttpGet;
using stele::testing::HttpReply;
using ::testing::HasSubstr;

HttpResponse Echo(const HttpRequest& request) {
  HttpResponse response;
  response.body = request.path + (request.has_query ? " with a query" : "");
  return response;
}

std::unique_ptr<HttpServer> Serve(HttpOptions options = {}, HttpHandler handler = Echo) {
  options.address = {"127.0.0.1", 0};
  options.flag = "--http";
  auto server = HttpServer::Start(options, std::move(handler));
  EXPECT_TRUE(server.ok()) << server.status();
  return *std::move(server);
}

HttpReply Raw(const HttpServer& server, std::string_view request) {
  HttpClient client(server.address().port);
  client.Send(request);
  return client.Read();
}

TEST(HttpServerTest, AnswersGetAndHead) {
  auto server = Serve();
  const HttpReply get = HttpGet(server->address().port, "/a/b");
  EXPECT_EQ(get.status, 200);
  EXPECT_EQ(get.body, "/a/b");
  EXPECT_EQ(get.headers.at("content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(get.headers.at("cache-control"), "no-store");
  EXPECT_THAT(get.headers.at("date"), HasSubstr(" GMT"));
  const HttpReply head = HttpGet(server->address().port, "/a/b", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), "4");
  EXPECT_EQ(server->Stats().requests, 2u);
}

// So many pieces, the last one an error if it is to break.
class Pieces final : public HttpBody {
 public:
  Pieces(int count, bool breaks) : count_(count), breaks_(breaks) {}
  uint64_t size() const override { return 1000 * static_cast<uint64_t>(count_); }
  absl::StatusOr<std::string> Next() override {
    if (at_ == count_) return std::string();
    if (++at_ == count_ && breaks_) return absl::DataLossError("damaged");
    return std::string(1000, static_cast<char>('a' + at_ % 26));
  }

 private:
  const int count_;
  const bool breaks_;
  int at_ = 0;
};

TEST(HttpServerTest, StreamsWhatIsTooLargeToHold) {
  auto server = Serve({}, [](const HttpRequest& request) {
    HttpResponse response;
    response.etag = "x";
    response.stream = std::make_shared<Pieces>(3, request.path == "/breaks");
    return response;
  });
  HttpClient client(server->address().port);
  for (int round = 0; round < 2; ++round) {
    client.Send("GET /x HTTP/1.1\r\nHost: t\r\n\r\n");
    const HttpReply reply = client.Read();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, std::string(1000, 'b') + std::string(1000, 'c') + std::string(1000, 'd'));
  }
  client.Send("HEAD /x HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(client.Read(/*head=*/true).headers.at("content-length"), "3000");
  client.Send("GET /x HTTP/1.1\r\nHost: t\r\nIf-None-Match: \"x\"\r\n\r\n");
  EXPECT_EQ(client.Read(/*head=*/true).status, 304);
  // Cut where it breaks, so that nobody takes it for whole.
  client.Send("GET /breaks HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_LT(client.Read().body.size(), 3000u);
  EXPECT_TRUE(client.ClosedWithin(60));
  EXPECT_EQ(server->Stats().answer_bytes, 0u);
}

TEST(HttpServerTest, HeadHasNoBodyAndKeepsTheConnection) {
  auto server = Serve();
  HttpClient client(server->address().port);
  client.Send("HEAD /x HTTP/1.1\r\nHost: t\r\n\r\nGET /y?q HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_EQ(client.Read(/*head=*/true).status, 200);
  EXPECT_EQ(client.Read().body, "/y with a query");  // pipelined, and no stray byte before it
}

TEST(HttpServerTest, Http10ClosesAfterTheAnswer) {
  auto server = Serve();
  HttpClient client(server->address().port);
  client.Send("GET /x HTTP/1.0\r\n\r\n");
  EXPECT_EQ(client.Read().body, "/x");
  EXPECT_TRUE(client.ClosedWithin(5));
}

TEST(HttpServerTest, AbsoluteFormIsReducedToItsPath) {
  auto server = Serve();
  EXPECT_EQ(Raw(*server, "GET http://t:1/a HTTP/1.1\r\nHost: t\r\n\r\n").body, "/a");
  EXPECT_EQ(Raw(*server, "GET http://t HTTP/1.1\r\nHost: t\r\n\r\n").body, "/");
}

TEST(HttpServerTest, RefusesWhatItDoesNotSpeak) {
  auto server = Serve();
  const struct {
    const char* request;
    int status;
  } kCases[] = {
      {"POST /x HTTP/1.1\r\nHost: t\r\n\r\n", 405},
      {"PUT /x HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n", 405},
      {"BREW /x HTTP/1.1\r\nHost: t\r\n\r\n", 405},
      {"GET /x HTTP/2.0\r\nHost: t\r\n\r\n", 505},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      {"GET /x HTTP/0.9\r\nHost: t\r\n\r\n", 505},
      {"GET /x HTTP/1.1\r\n\r\n", 400},
      {"GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"GET x HTTP/1.1\r\nHost: t\r\n\r\n", 400},
      {"GET /x HTTP/1.1\r\nHost: t\r\nBad Header: 1\r\n\r\n", 400},
      {"GET /x HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n", 400},
      {"GET /x HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc", 413},
      {"GET /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
      {"GET /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: zip\r\n\r\n", 501},
      {"GET /x HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked, zip\r\n\r\n", 501},
      {"\x16\x03\x01\x02\r\n\r\n", 400},
  };
  for (const auto& c : kCases) {
    HttpClient client(server->address().port);
    client.Send(c.request);
    const HttpReply reply = client.Read();
    EXPECT_EQ(reply.status, c.status) << c.request;
    EXPECT_EQ(reply.headers.at("cache-control"), "no-store");
    EXPECT_FALSE(reply.body.empty());
    EXPECT_TRUE(client.ClosedWithin(5)) << c.request;
    if (c.status == 405) EXPECT_EQ(reply.headers.at("allow"), "GET, HEAD");
  }
  EXPECT_EQ(server->Stats().requests, 0u);
  EXPECT_EQ(server->Stats().refused, std::size(kCases));
}

// The refusal arrives although the client is still sending what nobody will read.
TEST(HttpServerTest, ARefusalSurvivesALongBody) {
  auto server = Serve();
  for (int i = 0; i < 20; ++i) {
    HttpClient client(server->address().port);
    client.Send("POST /x HTTP/1.1\r\nHost: t\r\nContent-Length: 300000\r\n\r\n" +
                std::string(300'000, 'b'));
    EXPECT_EQ(client.Read().status, 413);
  }
}

TEST(HttpServerTest, HeadersAreBounded) {
  auto server = Serve();
  const std::string fits(12 * 1024, 'a'), over(20 * 1024, 'a');
  EXPECT_EQ(Raw(*server, "GET /x HTTP/1.1\r\nHost: t\r\nX: " + fits + "\r\n\r\n").status, 200);
  EXPECT_EQ(Raw(*server, "GET /x HTTP/1.1\r\nHost: t\r\nX: " + over + "\r\n\r\n").status, 431);
  EXPECT_EQ(Raw(*server, "GET /" + over + " HTTP/1.1\r\nHost: t\r\n\r\n").status, 431);
}

TEST(HttpServerTest, ASlowRequestIsCutOff) {
  HttpOptions options;
  options.request_time = std::chrono::milliseconds(200);
  auto server = Serve(options);
  HttpClient idle(server->address().port);
  HttpClient slow(server->address().port);
  std::atomic<bool> done{false};
  std::thread dripping([&] {  // one byte at a time does not buy more time
    for (int i = 0; i < 20 && !done; ++i) {
      slow.Send(i == 0 ? "GET /x HTTP/1.1\r\n" : "a");
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  });
  EXPECT_TRUE(idle.ClosedWithin(5));
  EXPECT_TRUE(slow.ClosedWithin(5));
  done = true;
  dripping.join();
}

TEST(HttpServerTest, ConnectionsAreBounded) {
  HttpOptions options;
  options.max_connections = 2;
  auto server = Serve(options);
  const std::string request = "GET /x HTTP/1.1\r\nHost: t\r\n\r\n";
  HttpClient first(server->address().port), second(server->address().port);
  first.Send(request);
  second.Send(request);
  EXPECT_EQ(first.Read().status, 200);
  EXPECT_EQ(second.Read().status, 200);
  HttpClient third(server->address().port);
  const HttpReply refused = third.Read();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.at("retry-after"), "5");
  first.Send(request);  // those inside go on
  EXPECT_EQ(first.Read().status, 200);
}

TEST(HttpServerTest, ConditionalAndEncodedAnswers) {
  auto server = Serve({}, [](const HttpRequest&) {
    HttpResponse response;
    response.body = std::string(1000, 'z');
    response.etag = "z";
    response.compressible = true;
    response.cache_control = "public, max-age=86400";
    return response;
  });
  HttpClient client(server->address().port);
  auto get = [&](const std::string& fields, const std::string& method = "GET") {
    client.Send(method + " /x HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n");
    return client.Read(method == "HEAD" || fields.find("None-Match: \"z\"") != std::string::npos);
  };
  const HttpReply plain = get("");
  EXPECT_EQ(plain.headers.at("etag"), "\"z\"");
  EXPECT_EQ(plain.headers.at("vary"), "Accept-Encoding");
  EXPECT_EQ(plain.headers.count("content-encoding"), 0u);
  EXPECT_EQ(plain.body.size(), 1000u);
  const HttpReply zipped = get("Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n");
  EXPECT_EQ(zipped.headers.at("etag"), "\"z-gzip\"");
  EXPECT_EQ(zipped.headers.at("vary"), "Accept-Encoding");
  EXPECT_EQ(zipped.headers.at("content-encoding"), "gzip");
  EXPECT_LT(zipped.body.size(), 100u);
  const HttpReply head = get("Accept-Encoding: gzip\r\n", "HEAD");
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(zipped.body.size()));
  EXPECT_EQ(head.headers.at("etag"), "\"z-gzip\"");
  const HttpReply same = get("If-None-Match: \"z\"\r\n");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.headers.at("etag"), "\"z\"");
  EXPECT_EQ(same.headers.at("vary"), "Accept-Encoding");
  EXPECT_EQ(same.headers.at("cache-control"), "public, max-age=86400");
  EXPECT_EQ(same.headers.count("content-length"), 0u);
  EXPECT_EQ(get("If-Match: \"y\"\r\n").status, 412);
  EXPECT_EQ(get("Range: bytes=0-1\r\n").body.size(), 1000u);  // no ranges: the whole
}

TEST(HttpServerTest, ManyAtOnce) {
  HttpOptions options;
  options.threads = 2;
  auto server = Serve(options);
  std::atomic<int> good{0};
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      HttpClient client(server->address().port);
      for (int i = 0; i < 50; ++i) {
        const std::string path = "/" + std::to_string(c) + "/" + std::to_string(i);
        client.Send("GET " + path + " HTTP/1.1\r\nHost: t\r\n\r\n");
        if (client.Read().body == path) ++good;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 400);
}

TEST(HttpServerTest, ABusyPortIsOneSentence) {
  auto server = Serve();
  HttpOptions options;
  options.address = server->address();
  options.flag = "--admin";
  auto second = HttpServer::Start(options, Echo);
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()),
              HasSubstr("(--admin): Address already in use"));
}

TEST(HttpServerTest, StopLetsAnAnswerEndAndClosesTheRest) {
  std::atomic<bool> inside{false};
  auto server = Serve({}, [&](const HttpRequest& request) {
    inside = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return Echo(request);
  });
  HttpClient idle(server->address().port), busy(server->address().port);
  busy.Send("GET /last HTTP/1.1\r\nHost: t\r\n\r\n");
  while (!inside) std::this_thread::yield();
  const auto begin = std::chrono::steady_clock::now();
  server->Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(busy.Read().body, "/last");
  server.reset();
  EXPECT_TRUE(idle.ClosedWithin(5));
}

}  // namespace
}  // namespace stele::server
