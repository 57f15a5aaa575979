// Content by digest over a real socket and a real store, and what caches are told of everything.
#include "server/files/content_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/artifact_limits.h"
#include "core/crypto/sha256.h"
#include "core/record/manifest.h"
#include "server/files/file_error.h"
#include "server/files/files.h"
#include "server/http/http_server.h"
#include "tests/support/server/http_client.h"
#include "tests/support/server/test_log.h"
#include "tests/support/store/artifacts.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {
namespace {

using stele::testing::HttpClient;
using stele::testing::HttpReply;
using stele::testing::TestManifest;

class ContentFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto sink = std::make_shared<testing::CollectSink>(log_.store().log_verifier());
    for (size_t n = 0; n < 5; ++n) {
      manifests_.push_back(*ParseManifest(TestManifest(static_cast<int>(n), "title", 400)));
      log_.store().Publish(
          {testing::SignPublication(manifests_.back().canonical, log_.publisher())}, sink);
      ASSERT_TRUE(sink->Wait(n + 1).back().result.ok());
    }
    HttpOptions options;
    options.address = {"127.0.0.1", 0};
    const ReaderSource source = [this] { return log_.store().GetReader(); };
    auto server = HttpServer::Start(
        options, [source](const HttpRequest& request) { return AnswerFile(source, request); });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  HttpReply Get(std::string_view path, std::string_view fields = "",
                std::string_view method = "GET") {
    HttpClient client(server_->address().port);
    client.Send(std::string(method) + " " + std::string(path) + " HTTP/1.1\r\nHost: t\r\n" +
                std::string(fields) + "Connection: close\r\n\r\n");
    return client.Read(method == "HEAD");
  }
  static std::string PathOf(const Digest& digest) { return "/content/" + digest.ToHex(); }

  TestLog log_;
  std::vector<Manifest> manifests_;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(ContentFilesTest, EveryRecordAndManifest) {
  for (const Manifest& manifest : manifests_) {
    const HttpReply record = Get(PathOf(manifest.record));
    EXPECT_EQ(record.status, 200);
    EXPECT_EQ(record.body, manifest.identity);
    EXPECT_EQ(record.headers.at("content-type"), "application/octet-stream");
    EXPECT_EQ(record.headers.at("cache-control"), "public, max-age=86400");
    EXPECT_EQ(record.headers.at("etag"), "\"" + manifest.record.ToHex() + "\"");
    EXPECT_EQ(record.headers.at("vary"), "Accept-Encoding");
    EXPECT_EQ(Get(PathOf(manifest.manifest)).body, manifest.canonical);
  }
}

TEST_F(ContentFilesTest, WhatIsWithheldIsNotServedUntilItIsRestored) {
  const Digest digest = manifests_[0].manifest;
  const std::string path = PathOf(digest);
  const std::string etag = Get(path).headers.at("etag");
  const auto say = [&](const Statement& statement) {
    auto sink = std::make_shared<testing::CollectSink>(log_.store().log_verifier());
    log_.store().Publish({testing::Sign(statement, log_.operator_key())}, sink);
    EXPECT_TRUE(sink->Wait(1).back().result.ok());
  };
  say(testing::Withhold(digest, kNoEvent));
  const uint64_t entry = log_.size() - 1;
  const HttpReply withheld = Get(path, "If-None-Match: " + etag + "\r\n");
  EXPECT_EQ(withheld.status, 451);
  EXPECT_NE(withheld.body.find("entry " + std::to_string(entry)), std::string::npos);
  EXPECT_EQ(withheld.headers.at("cache-control"), "no-store");
  EXPECT_EQ(Get(path, "", "HEAD").status, 451);
  // The record itself is another digest.
  EXPECT_EQ(Get(PathOf(manifests_[0].record)).status, 200);
  say(testing::Withhold(digest, EventIndex(static_cast<int64_t>(entry)), false));
  EXPECT_EQ(Get(path).status, 200);
}

TEST_F(ContentFilesTest, EncodedAndConditional) {
  const std::string path = PathOf(manifests_[0].record);
  const HttpReply zipped = Get(path, "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(zipped.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(zipped.headers.at("etag"), "\"" + manifests_[0].record.ToHex() + "-gzip\"");
  EXPECT_LT(zipped.body.size(), manifests_[0].identity.size());
  const std::string has = "If-None-Match: " + Get(path).headers.at("etag") + "\r\n";
  const HttpReply same = Get(path, has, "HEAD");
  EXPECT_EQ(same.status, 304);
  EXPECT_EQ(same.headers.at("cache-control"), "public, max-age=86400");
  EXPECT_EQ(Get(path, has + "Accept-Encoding: gzip\r\n").status, 200);
  EXPECT_EQ(Get(path, "", "HEAD").headers.at("content-length"),
            std::to_string(manifests_[0].identity.size()));
}

TEST_F(ContentFilesTest, NothingElseIsThere) {
  const std::string hex = manifests_[0].record.ToHex();
  for (const std::string& path :
       {std::string("/content"), std::string("/content/"), "/content/" + hex.substr(0, 63),
        "/content/" + hex + "0", "/content/" + hex + "/", "/content/" + hex + "?x",
        "/content/sha256:" + hex, "/content//" + hex, "/Content/" + hex,
        "/content/%" + hex.substr(1), PathOf(Sha256("absent"))}) {
    const HttpReply reply = Get(path);
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_EQ(reply.headers.at("cache-control"), "no-store") << path;
    EXPECT_EQ(reply.headers.count("etag"), 0u) << path;
  }
}

// Too large for one piece: streamed, and the same to whoever asks.
TEST_F(ContentFilesTest, LargeArtifactsAreStreamed) {
  const std::string bytes = testing::ArtifactBytes(1, limits::kWholeContentBytes + 12345);
  ASSERT_TRUE(testing::Upload(log_.store(), bytes, log_.publisher()).ok());
  auto sink = std::make_shared<testing::CollectSink>(log_.store().log_verifier());
  log_.store().Publish({testing::Sign(testing::ArtifactPublication({bytes}), log_.publisher())},
                       sink);
  ASSERT_TRUE(sink->Wait(1).back().result.ok());
  const std::string path = PathOf(Sha256(bytes));
  for (const char* fields : {"", "Accept-Encoding: gzip\r\n", "Range: bytes=5-9\r\n"}) {
    const HttpReply reply = Get(path, fields);
    EXPECT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.body == bytes) << reply.body.size();
    EXPECT_EQ(reply.headers.count("content-encoding"), 0u);
    EXPECT_EQ(reply.headers.at("cache-control"), "public, max-age=86400");
    EXPECT_EQ(reply.headers.at("etag"), "\"" + Sha256(bytes).ToHex() + "\"");
  }
  const HttpReply head = Get(path, "", "HEAD");
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(bytes.size()));
  const std::string has = "If-None-Match: " + head.headers.at("etag") + "\r\n";
  EXPECT_EQ(Get(path, has).status, 304);
  EXPECT_EQ(Get(path, "If-Match: \"x\"\r\n").status, 412);
  // The connection lives on behind it.
  HttpClient client(server_->address().port);
  client.Send("GET " + path +
              " HTTP/1.1\r\nHost: t\r\n\r\nGET /checkpoint HTTP/1.1\r\nHost: t\r\n\r\n");
  EXPECT_TRUE(client.Read().body == bytes);
  EXPECT_EQ(client.Read().status, 200);
}

// What may be kept, and for how long, by answer.
TEST_F(ContentFilesTest, CachingByStatus) {
  const std::string bundle = "/tile/entries/000.p/7";
  const struct {
    std::string path, fields, method;
    int status;
    std::string caching;
  } kCases[] = {
      {"/checkpoint", "", "GET", 200, "no-store"},
      {"/checkpoint", "If-None-Match: *\r\n", "GET", 200, "no-store"},
      {bundle, "", "GET", 200, "public, max-age=31536000, immutable"},
      {bundle, "If-None-Match: *\r\n", "HEAD", 304, "public, max-age=31536000, immutable"},
      {bundle, "If-Match: \"x\"\r\n", "GET", 412, "no-store"},
      {bundle, "Transfer-Encoding: gzip\r\n", "GET", 501, "no-store"},
      {bundle, "Content-Length: 4\r\n", "GET", 413, "no-store"},
      {bundle, "X: " + std::string(20'000, 'x') + "\r\n", "GET", 431, "no-store"},
      {bundle, "", "DELETE", 405, "no-store"},
      {"/tile/entries/000.p/8", "", "GET", 404, "no-store"},
      {PathOf(manifests_[1].record), "", "GET", 200, "public, max-age=86400"},
      {PathOf(Sha256("absent")), "", "GET", 404, "no-store"},
  };
  for (const auto& c : kCases) {
    const HttpReply reply = Get(c.path, c.fields, c.method);
    EXPECT_EQ(reply.status, c.status) << c.method << " " << c.path;
    EXPECT_EQ(reply.headers.at("cache-control"), c.caching) << c.method << " " << c.path;
  }
}

TEST_F(ContentFilesTest, EntryBundlesAreZippedAndHashesAreNot) {
  const HttpReply bundle = Get("/tile/entries/000.p/7", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(bundle.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(bundle.headers.at("vary"), "Accept-Encoding");
  EXPECT_LT(bundle.body.size(), Get("/tile/entries/000.p/7").body.size());
  const HttpReply hashes = Get("/tile/0/000.p/7", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(hashes.headers.count("content-encoding"), 0u);
  EXPECT_EQ(hashes.headers.count("vary"), 0u);
  EXPECT_EQ(hashes.headers.at("etag"), "\"" + Sha256(hashes.body).ToHex() + "\"");
  EXPECT_EQ(hashes.body.size(), 7u * 32);
}

TEST_F(ContentFilesTest, AStoreThatCannotBeReadIsSaid) {
  log_.backend().SetReadError(absl::UnavailableError("the disk does not answer"));
  EXPECT_EQ(Get(PathOf(manifests_[0].record)).status, 503);
  log_.backend().SetReadError(absl::DataLossError("damaged"));
  EXPECT_EQ(Get(PathOf(manifests_[0].record)).status, 500);
  log_.backend().SetReadError(absl::OkStatus());
  EXPECT_EQ(Get(PathOf(manifests_[0].record)).status, 200);
}

}  // namespace
}  // namespace stele::server
