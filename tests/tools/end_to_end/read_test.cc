// `stele get`, `log`, `key` and the pins against a real server.
#include "core/json/parse.h"
#include "core/record/manifest.h"
#include "tests/support/client/lying_server.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunProgram;
using testing::RunResult;

class ReadTest : public ServedTest {};

TEST_F(ReadTest, WhatIsNotThereIsAFailedItem) {
  const RunResult absent = steled_.Stele({"get", std::string(64, 'a')});
  EXPECT_EQ(absent.exit_code, 1);
  EXPECT_EQ(absent.out, "");
  EXPECT_EQ(steled_.Stele({"get", "aaaaaaaaaa"}).exit_code, 1);
  EXPECT_EQ(steled_.Stele({"get", std::string(64, 'a'), "--manifest"}).exit_code, 1);
  EXPECT_EQ(steled_.Stele({"log", "entries", "--start", "99"}).exit_code, 1);
}

TEST_F(ReadTest, APrefixThatIsNotUniqueListsItsMatches) {
  ASSERT_EQ(Push({Write("a.json", Manifest(1))}).exit_code, 0);
  const std::string hex = ParseManifest(Manifest(1))->record.ToHex();
  const std::string other = hex.substr(0, 10) + std::string(54, '0');
  client::LyingServer server(steled_.address());
  server.lies.prefix = [&](v1::ResolvePrefixResponse& response) {
    response.add_digests(std::string(Digest::FromHex(other)->bytes()));
  };
  const RunResult result = RunProgram("stele", {"get", hex.substr(0, 10), "--server",
                                                server.address(), "--state", Path("other-state")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(HasSubstr("not unique"), HasSubstr("sha256:" + hex),
                                HasSubstr("sha256:" + other)));
}

TEST_F(ReadTest, LogHeadAndEntries) {
  ASSERT_EQ(Push({Example(1)}).exit_code, 0);
  const RunResult head = steled_.Stele({"log", "head", "--json"});
  ASSERT_EQ(head.exit_code, 0) << head.err;
  absl::StatusOr<json::Value> value = json::Parse(head.out);
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(*value->object()->Find("size")->number(), 3);
  EXPECT_EQ(*value->object()->Find("origin")->string(), "test.example/log");
  EXPECT_EQ(*value->object()->Find("checkpoint")->string(),
            steled_.Stele({"log", "head", "--raw"}).out);
  EXPECT_THAT(steled_.Stele({"log", "head"}).out, HasSubstr("size    3\n"));

  const RunResult entries = steled_.Stele({"log", "entries", "--json"});
  EXPECT_EQ(std::count(entries.out.begin(), entries.out.end(), '\n'), 3);
  EXPECT_THAT(entries.out,
              AllOf(HasSubstr("\"index\":0,"), HasSubstr("\"type\":\"genesis\""),
                    HasSubstr("\"type\":\"key-grant\""), HasSubstr("\"type\":\"publication\""),
                    HasSubstr(PublicKeyId(publisher_))));
  const RunResult one = steled_.Stele({"log", "entries", "--start", "1", "--limit", "1"});
  EXPECT_THAT(one.out,
              AllOf(HasSubstr("1  20"), HasSubstr("key-grant"), Not(HasSubstr("genesis"))));
  const RunResult raw = steled_.Stele({"log", "entries", "--raw", "--limit", "1"});
  EXPECT_THAT(raw.out, AllOf(HasSubstr("{\"authority\":0,\"envelope\":"),
                             HasSubstr("\"stele\":\"entry/v1\"}\n")));
}

TEST_F(ReadTest, ALogOfManyPagesIsListedWhole) {
  std::string lines;
  for (int n = 0; n < 600; ++n) lines += Manifest(n) + "\n";
  ASSERT_EQ(Push({"-", "--batch", "1"}, lines).exit_code, 0);
  const std::string out = steled_.Stele({"log", "entries"}).out;
  std::istringstream in(out);
  std::string line;
  for (int index = 0; index < 602; ++index) {
    ASSERT_TRUE(std::getline(in, line));
    EXPECT_TRUE(line.starts_with(std::to_string(index) + "  ")) << line;
  }
  EXPECT_FALSE(std::getline(in, line));
}

TEST_F(ReadTest, TheKeyRing) {
  const std::string id = PublicKeyId(publisher_);
  EXPECT_THAT(steled_.Stele({"key", "list"}).out,
              AllOf(HasSubstr(id + "  publisher  publisher\n"), HasSubstr("  operator  -\n")));
  const std::string signer = steled_.operator_key().string();
  // Granting again is a new act; revoking by a prefix is enough.
  EXPECT_EQ(steled_
                .Stele({"key", "grant", publisher_ + ".pub", "--name", "renamed", "--role",
                        "runner", "--signer", signer})
                .exit_code,
            0);
  EXPECT_THAT(steled_.Stele({"key", "list"}).out, HasSubstr(id + "  runner  renamed\n"));
  const RunResult revoked = steled_.Stele({"key", "revoke", id.substr(0, 20), "--reason", "lost",
                                           "--compromised-since", "1", "--signer", signer});
  EXPECT_EQ(revoked.exit_code, 0) << revoked.err;
  EXPECT_EQ(revoked.out, "revoked " + id + " at entry 3\n");
  EXPECT_THAT(steled_.Stele({"key", "list", "--json"}).out,
              HasSubstr("{\"key\":\"" + id +
                        "\",\"latestEvent\":3,\"name\":\"renamed\",\"role\":\"none\"}"));
  EXPECT_EQ(
      steled_.Stele({"key", "revoke", "ffffffff", "--reason", "x", "--signer", signer}).exit_code,
      1);
  const RunResult future = steled_.Stele(
      {"key", "revoke", id, "--reason", "x", "--compromised-since", "99", "--signer", signer});
  EXPECT_EQ(future.exit_code, 1);
  EXPECT_THAT(future.err, HasSubstr("COMPROMISED_SINCE"));
  const RunResult not_operator = steled_.Stele({"key", "grant", publisher_ + ".pub", "--name", "x",
                                                "--role", "operator", "--signer", publisher_});
  EXPECT_EQ(not_operator.exit_code, 1);
  EXPECT_THAT(not_operator.err, HasSubstr("ROLE"));
}

TEST_F(ReadTest, DisputedPublicationsGiveNoManifest) {
  const std::string file = Write("a.json", Manifest(1));
  ASSERT_EQ(Push({file}).exit_code, 0);
  const std::string digest = ParseManifest(Manifest(1))->record.ToText();
  ASSERT_EQ(steled_
                .Stele({"key", "revoke", PublicKeyId(publisher_), "--reason", "stolen",
                        "--compromised-since", "1", "--signer", steled_.operator_key().string()})
                .exit_code,
            0);
  EXPECT_EQ(steled_.Stele({"get", digest}).out, Manifest(1)) << "records stay readable";
  const RunResult manifest = steled_.Stele({"get", digest, "--manifest"});
  EXPECT_EQ(manifest.exit_code, 1);
  EXPECT_THAT(manifest.err, HasSubstr("disputed"));
}

TEST_F(ReadTest, FirstContactPinsAndAMismatchIsExitFour) {
  const std::string state = Path("pins-test");
  const auto head = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"log", "head", "--server", steled_.address()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram("stele", arguments);
  };
  const RunResult first = head({"--state", state});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.err, AllOf(HasSubstr("first contact"), HasSubstr("test.example/log")));
  EXPECT_EQ(head({"--state", state}).err, "");
  EXPECT_TRUE(testing::ReadFile(state + "/pins")
                  .starts_with(steled_.address() + " test.example/log test.example/log+"));

  // Another log at the same address.
  const std::string grpc = steled_.address();
  ASSERT_EQ(steled_.Stop(), 0);
  const std::string data = Path("other");
  ASSERT_EQ(RunProgram("stele", {"init", data, "--origin", "test.example/log"}).exit_code, 0);
  testing::Child impostor(
      "steled",
      {"--data", data, "--listen", grpc, "--http", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, "");
  ASSERT_TRUE(impostor.ReadLine(std::chrono::minutes(1)));
  const RunResult changed = head({"--state", state});
  EXPECT_EQ(changed.exit_code, 4);
  EXPECT_EQ(changed.out, "");
  EXPECT_THAT(changed.err, HasSubstr("remove line 1 of " + state + "/pins"));
  const RunResult by_policy = head({"--policy", (steled_.data() / "policy").string()});
  EXPECT_EQ(by_policy.exit_code, 4) << "the checkpoint is signed by another key";
  EXPECT_EQ(head({"--policy", data + "/policy"}).exit_code, 0);
}

}  // namespace
}  // namespace stele::tools
