// steled as a process on a real store: what it prints, its exit codes, its signals.
#include <gmock/gmock.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "stele/v1/publish.grpc.pb.h"
#include "store/store.h"
#include "tests/server/operations/steled_process.h"
#include "tests/support/server/http_client.h"
#include "tests/support/shared.h"
#include "tests/support/store/check_store.h"
#include "tests/support/store/statements.h"
#include "tests/support/store/temp_dir.h"

namespace stele::server {
namespace {

using stele::testing::HttpGet;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using Args = std::vector<std::string>;

// With a receive window that does not grow: what is not read stays with the server.
std::unique_ptr<v1::PublishService::Stub> Connect(const std::string& line) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 * 1024);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return v1::PublishService::NewStub(
      grpc::CreateCustomChannel("127.0.0.1:" + std::to_string(PortOf(line, "grpc")),
                                grpc::InsecureChannelCredentials(), arguments));
}

class SteledTest : public ::testing::Test {
 protected:
  void SetUp() override {
    store::CreateOptions options{.dir = data(),
                                 .guard = {},
                                 .origin = testing::kOrigin,
                                 .log_key = testing::TestKey("log"),
                                 .operator_key = operator_,
                                 .recovery_keys = {},
                                 .clock = {}};
    const absl::Status created = store::CreateStore(options);
    ASSERT_TRUE(created.ok()) << created;
  }
  std::filesystem::path data() const { return dir_.path() / "data"; }
  Args With(const Args& more = {}) const {
    Args args = {"--data", data().string(), "--listen", "127.0.0.1:0",
                 "--http", "127.0.0.1:0",   "--admin",  "127.0.0.1:0"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  // After the server has ended: the whole store, from the bytes up.
  void CheckData(uint64_t size) {
    store::OpenOptions options;
    options.dir = data();
    auto store = store::Store::Open(options);
    ASSERT_TRUE(store.ok()) << store.status();
    const absl::Status checked = testing::CheckStore(**store);
    EXPECT_TRUE(checked.ok()) << checked;
    EXPECT_EQ((*store)->Stats().tree_size, size);
  }

  testing::TempDir dir_;
  const PrivateKey operator_ = testing::TestKey("operator");
};

TEST_F(SteledTest, ServesAndStops) {
  SteledProcess steled(With({"--log-format", "json"}));
  const std::string line = steled.FirstLine();
  ASSERT_THAT(line, MatchesRegex("listening grpc=127\\.0\\.0\\.1:[0-9]+ http=127\\.0\\.0\\.1:"
                                 "[0-9]+ admin=127\\.0\\.0\\.1:[0-9]+"))
      << steled.stderr_text();
  const uint16_t admin = PortOf(line, "admin");
  EXPECT_EQ(HttpGet(admin, "/healthz").status, 200);
  EXPECT_EQ(HttpGet(admin, "/readyz").status, 200);
  EXPECT_THAT(HttpGet(admin, "/metrics").body, HasSubstr("\nstele_tree_size 1\n"));
  EXPECT_THAT(HttpGet(PortOf(line, "http"), "/checkpoint").body,
              HasSubstr(std::string(testing::kOrigin) + "\n1\n"));
  EXPECT_EQ(HttpGet(PortOf(line, "http"), "/tile/0/000.p/1").body.size(), 32u);
  steled.Signal(SIGTERM);
  EXPECT_EQ(steled.Wait(30), 0) << steled.stderr_text();
  EXPECT_EQ(steled.rest_of_stdout(), "");
  std::istringstream lines(steled.stderr_text());
  for (std::string text; std::getline(lines, text);) {
    EXPECT_THAT(text, MatchesRegex("\\{\"time\":.*\"\\}"));
  }
  CheckData(1);
}

// What was accepted is answered and durable when SIGTERM ends the server under load.
TEST_F(SteledTest, DrainsOnSigterm) {
  SteledProcess steled(With({"--drain-timeout", "20s"}));
  const std::string line = steled.FirstLine();
  ASSERT_NE(line, "") << steled.stderr_text();
  auto stub = Connect(line);
  grpc::ClientContext context;
  auto stream = stub->Publish(&context);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int n = 0; !stop; ++n) {
      const PrivateKey key = testing::TestKey("publisher " + std::to_string(n));
      const auto item = testing::Sign(testing::Grant(key.public_key(), Role::kPublisher, kNoEvent),
                                      operator_, static_cast<uint64_t>(n));
      v1::PublishRequest request;
      auto* wire = request.add_items();
      wire->set_tag(item.tag);
      wire->set_key_id(item.key_id);
      wire->set_envelope(item.envelope);
      if (!stream->Write(request)) return;
    }
  });
  uint64_t receipts = 0;
  v1::PublishResponse response;
  while (stream->Read(&response)) {
    for (const auto& result : response.results()) {
      EXPECT_TRUE(result.has_receipt()) << result.error().message();
      ++receipts;
    }
    if (receipts >= 20 && !stop.exchange(true)) steled.Signal(SIGTERM);
  }
  stop = true;
  writer.join();
  EXPECT_EQ(stream->Finish().error_code(), grpc::UNAVAILABLE);
  EXPECT_EQ(steled.Wait(30), 0) << steled.stderr_text();
  CheckData(1 + receipts);
}

int UnansweredStatements(const std::string& listening) {
  const std::string name = "\nstele_rpc_unanswered_statements ";
  const std::string metrics = HttpGet(PortOf(listening, "admin"), "/metrics").body;
  const size_t at = metrics.find(name);
  return at == std::string::npos ? 0 : std::atoi(metrics.c_str() + at + name.size());
}

TEST_F(SteledTest, ASecondSignalEndsItAtOnce) {
  SteledProcess steled(With({"--drain-timeout", "5m"}));
  const std::string line = steled.FirstLine();
  ASSERT_NE(line, "") << steled.stderr_text();
  // A client that holds many answers unread keeps the drain waiting.
  auto stub = Connect(line);
  grpc::ClientContext context;
  auto stream = stub->Publish(&context);
  std::thread writer([&] {
    v1::PublishRequest request;
    for (uint64_t n = 0; n < 2000; n += 20) {
      request.Clear();
      for (uint64_t tag = n; tag < n + 20; ++tag) {
        const auto item =
            testing::Sign(testing::Grant(testing::TestKey("k" + std::to_string(tag)).public_key(),
                                         Role::kPublisher, kNoEvent),
                          operator_, tag);
        auto* wire = request.add_items();
        wire->set_tag(tag);
        wire->set_key_id(item.key_id);
        wire->set_envelope(item.envelope);
      }
      if (!stream->Write(request)) return;
    }
  });
  // All that the window takes; less could still be answered into the connection's buffers.
  while (UnansweredStatements(line) < 500) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  steled.Signal(SIGINT);
  EXPECT_EQ(steled.Wait(1), std::nullopt);
  EXPECT_EQ(HttpGet(PortOf(line, "admin"), "/readyz").status, 503);
  steled.Signal(SIGTERM);
  EXPECT_EQ(steled.Wait(10), 1);
  EXPECT_THAT(steled.stderr_text(), HasSubstr("second signal"));
  context.TryCancel();
  writer.join();
}

TEST_F(SteledTest, UsageIsExitCodeTwo) {
  for (const Args& args : {Args{}, Args{"--no-such-flag"}, With({"--drain-timeout", "soon"}),
                           With({"--config", "/nowhere.toml"})}) {
    SteledProcess steled(args);
    EXPECT_EQ(steled.Wait(30), 2);
    EXPECT_THAT(steled.stderr_text(), ::testing::StartsWith("steled: "));
    EXPECT_EQ(steled.rest_of_stdout(), "");
  }
  SteledProcess help({"--help"}), version({"--version"});
  EXPECT_EQ(help.Wait(30), 0);
  EXPECT_THAT(help.rest_of_stdout(), HasSubstr("--drain-timeout"));
  EXPECT_EQ(version.Wait(30), 0);
  EXPECT_THAT(version.rest_of_stdout(), MatchesRegex("steled [0-9.]+\n"));
}

// One sentence on stderr, nothing on stdout, exit 1.
void ExpectRefusal(const Args& args, const std::string& words) {
  SteledProcess steled(args);
  EXPECT_EQ(steled.Wait(60), 1) << words;
  EXPECT_THAT(steled.stderr_text(), HasSubstr(words));
  EXPECT_EQ(steled.rest_of_stdout(), "");
}

TEST_F(SteledTest, RefusalsAreSentences) {
  ExpectRefusal({"--data", (dir_.path() / "nowhere").string()}, "nowhere");
  SteledProcess first(With());
  const std::string line = first.FirstLine();
  ASSERT_NE(line, "") << first.stderr_text();
  ExpectRefusal(With(), data().string());  // held by the first
  first.Signal(SIGTERM);
  ASSERT_EQ(first.Wait(30), 0);

  std::filesystem::rename(data().string() + ".guard", dir_.path() / "guard.aside");
  ExpectRefusal(With(), "guard");
  SteledProcess accepted(With({"--accept-no-guard"}));
  EXPECT_NE(accepted.FirstLine(), "") << accepted.stderr_text();
}

TEST_F(SteledTest, ABusyPortIsNamedWithItsFlag) {
  testing::TempDir other_dir;
  store::CreateOptions options{.dir = other_dir.path() / "data",
                               .guard = {},
                               .origin = testing::kOrigin,
                               .log_key = testing::TestKey("log"),
                               .operator_key = operator_,
                               .recovery_keys = {},
                               .clock = {}};
  ASSERT_TRUE(store::CreateStore(options).ok());
  SteledProcess first(With());
  const std::string line = first.FirstLine();
  ASSERT_NE(line, "") << first.stderr_text();
  for (const auto& [flag, name] :
       {std::pair{"--listen", "grpc"}, {"--http", "http"}, {"--admin", "admin"}}) {
    Args args = {"--data", options.dir.string()};
    for (const char* each : {"--listen", "--http", "--admin"}) {
      args.push_back(each);
      args.push_back(std::string("127.0.0.1:") +
                     (each == std::string(flag) ? std::to_string(PortOf(line, name)) : "0"));
    }
    ExpectRefusal(args, std::string("(") + flag + "): Address already in use");
  }
}

TEST_F(SteledTest, EverythingFromAFile) {
  const std::string file = (dir_.path() / "steled.toml").string();
  std::ofstream(file) << "data = \"" << data().string() << "\"\nlisten = \"127.0.0.1:0\"\n"
                      << "http = \"127.0.0.1:0\"\nadmin = \"127.0.0.1:0\"\n";
  SteledProcess steled({"--config", file});
  EXPECT_NE(steled.FirstLine(), "") << steled.stderr_text();
  steled.Signal(SIGTERM);
  EXPECT_EQ(steled.Wait(30), 0);
}

}  // namespace
}  // namespace stele::server
