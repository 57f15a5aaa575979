// The static files of a log over a real socket: the golden log byte for byte, and a log that grows.
#include "server/files/log_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/crypto/sha256.h"
#include "core/merkle/frontier.h"
#include "core/tlog/entry_bundle.h"
#include "core/tlog/tree_edge.h"
#include "server/http/http_server.h"
#include "store/backend/memory_backend.h"
#include "store/read/snapshot_reader.h"
#include "tests/support/golden_log.h"
#include "tests/support/server/http_client.h"
#include "tests/support/shared.h"

namespace stele::server {
namespace {

using stele::testing::GoldenLog;
using stele::testing::HttpGet;
using stele::testing::HttpReply;
namespace fs = std::filesystem;

// A backend with the leaves of a golden log and nothing else, as a commit would have left it.
store::CommitPlan PlanOf(const GoldenLog& golden, TreeEdge& edge) {
  store::CommitPlan plan;
  plan.base_root = EmptyRoot();
  for (const auto& entry : golden.entries) {
    const Hash hash = LeafHash(entry.leaf);
    plan.entries.push_back({EntryIndex(edge.size().value()), entry.leaf, hash});
    edge.Append(hash);
  }
  for (const auto& tile : edge.finished()) {
    plan.tiles.push_back({tile.id.level, tile.id.number, tile.bytes});
  }
  for (size_t level = 1; level < edge.levels(); ++level) {
    std::string bytes;
    for (const Hash& hash : edge.unfinished(level)) bytes += hash.bytes();
    const uint64_t number = edge.size().value() >> (8 * (level + 1));
    if (!bytes.empty()) plan.tiles.push_back({static_cast<int>(level), number, bytes});
  }
  plan.head = {golden.origin, edge.size(), edge.Root(), TimeMs(0),
               stele::testing::ReadFile(golden.dir / "checkpoint")};
  return plan;
}

class LogFilesTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    golden_ = stele::testing::LoadGoldenLog(GetParam());
    auto edge = std::make_shared<TreeEdge>();
    store::MemoryBackend backend;
    ASSERT_TRUE(backend.Commit(PlanOf(golden_, *edge)).ok());
    edge->ForgetFinished();
    auto reader = store::SnapshotReader::Make(*backend.GetSnapshot(), std::make_shared<KeyRing>(),
                                              std::make_shared<LogEvents>(), edge,
                                              std::make_shared<store::TileCache>());
    ASSERT_TRUE(reader.ok()) << reader.status();
    HttpOptions options;
    options.address = {"127.0.0.1", 0};
    const ReaderSource source = [reader = *reader] { return reader; };
    auto server = HttpServer::Start(
        options, [source](const HttpRequest& request) { return AnswerLogFile(source, request); });
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }
  HttpReply Get(std::string_view path, std::string_view method = "GET") {
    return HttpGet(server_->address().port, path, method);
  }

  GoldenLog golden_;
  std::unique_ptr<HttpServer> server_;
};

TEST_P(LogFilesTest, EveryGoldenFileByteForByte) {
  size_t tiles = 0;
  for (const auto& file : fs::recursive_directory_iterator(golden_.dir / "tile")) {
    if (!file.is_regular_file()) continue;
    const std::string path = "/" + fs::relative(file.path(), golden_.dir).string();
    const HttpReply reply = Get(path);
    EXPECT_EQ(reply.status, 200) << path;
    EXPECT_EQ(reply.headers.at("content-type"), "application/octet-stream");
    EXPECT_EQ(reply.headers.at("cache-control"), "public, max-age=31536000, immutable");
    EXPECT_EQ(reply.body, stele::testing::ReadFile(file.path())) << path;
    EXPECT_EQ(reply.headers.at("etag"), "\"" + Sha256(reply.body).ToHex() + "\"");
    ++tiles;
  }
  EXPECT_GE(tiles, 2u);
  const HttpReply checkpoint = Get("/checkpoint");
  EXPECT_EQ(checkpoint.headers.at("content-type"), "text/plain; charset=utf-8");
  EXPECT_EQ(checkpoint.headers.at("cache-control"), "no-store");
  EXPECT_EQ(checkpoint.headers.count("etag"), 0u);
  EXPECT_EQ(checkpoint.body, stele::testing::ReadFile(golden_.dir / "checkpoint"));
}

// Every width up to what the tree has reached, of the first tile and bundle.
TEST_P(LogFilesTest, EveryPartialWidth) {
  const size_t most = std::min<size_t>(255, golden_.entries.size());
  std::string tile, bundle;
  for (size_t width = 1; width <= most; ++width) {
    const std::string& leaf = golden_.entries[width - 1].leaf;
    tile += LeafHash(leaf).bytes();
    AppendBundleEntry(leaf, bundle);
    const std::string suffix = "000.p/" + std::to_string(width);
    ASSERT_EQ(Get("/tile/0/" + suffix).body, tile) << width;
    ASSERT_EQ(Get("/tile/entries/" + suffix).body, bundle) << width;
  }
}

TEST_P(LogFilesTest, NothingElseIsThere) {
  const size_t size = golden_.entries.size();
  const std::string beyond =
      size < 256 ? "000.p/" + std::to_string(size + 1) : "001.p/" + std::to_string(size - 256 + 1);
  for (const std::string& path : {"/tile/0/" + beyond,
                                  "/tile/entries/" + beyond,
                                  std::string("/tile/0/x001/000"),
                                  std::string("/tile/1/000"),
                                  std::string("/tile/7/000.p/1"),
                                  std::string("/tile/64/000"),
                                  std::string("/tile/0/000.p/0"),
                                  std::string("/tile/0/000.p/256"),
                                  std::string("/tile/0/000.p/01"),
                                  std::string("/tile/00/000.p/1"),
                                  std::string("/tile/0/0.p/1"),
                                  std::string("/tile/0/x000/000.p/1"),
                                  std::string("/tile/0/000.p/1/"),
                                  std::string("/tile/0/000.p/1?x"),
                                  std::string("/tile"),
                                  std::string("/checkpoint/"),
                                  std::string("/checkpoint?x=1"),
                                  std::string("/Checkpoint"),
                                  std::string("/"),
                                  std::string("//checkpoint"),
                                  std::string("/%63heckpoint"),
                                  std::string("/tile/entries/../../checkpoint")}) {
    const HttpReply reply = Get(path);
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_EQ(reply.headers.at("cache-control"), "no-store") << path;
  }
}

TEST_P(LogFilesTest, HeadSaysTheLength) {
  const HttpReply head = Get("/checkpoint", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.headers.at("content-length"), std::to_string(Get("/checkpoint").body.size()));
  EXPECT_EQ(Get("/checkpoint", "POST").status, 405);
}

INSTANTIATE_TEST_SUITE_P(Golden, LogFilesTest,
                         ::testing::Values("log", "log-recovery", "log-random-1"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(LogFilesErrorTest, DamageAndUnreadableStoresAreSaid) {
  const HttpRequest request{.path = "/checkpoint"};
  EXPECT_EQ(AnswerLogFile([] { return absl::DataLossError("row 3"); }, request).status, 500);
  EXPECT_EQ(AnswerLogFile([] { return absl::UnavailableError("I/O"); }, request).status, 503);
}

}  // namespace
}  // namespace stele::server
