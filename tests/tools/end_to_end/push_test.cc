// `stele push` against a real server.
#include <signal.h>
#include <zstd.h>

#include <thread>

#include "core/base/refusal.h"
#include "core/record/manifest.h"
#include "google/rpc/error_details.pb.h"
#include "tests/support/client/lying_server.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunResult;

std::string Summary(int rows, int records, int pushed, int there, int refused) {
  return "rows " + std::to_string(rows) + ", records " + std::to_string(records) + ", pushed " +
         std::to_string(pushed) + ", already there " + std::to_string(there) + ", refused " +
         std::to_string(refused) + "\n";
}

std::string Compress(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

class PushTest : public ServedTest {};

TEST_F(PushTest, TheExamplesOnceAndThenNothingNew) {
  const RunResult first = Push({Example(1), Example(2)});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, Summary(2, 4, 4, 0, 0));
  const uint64_t entries = Entries();
  const RunResult second = Push({Example(1), Example(2)});
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(second.out, Summary(2, 4, 0, 4, 0));
  EXPECT_THAT(second.err, HasSubstr("nothing new"));
  EXPECT_EQ(Entries(), entries);
  const RunResult json = Push({Example(1), "--json", "--quiet"});
  EXPECT_EQ(json.out, R"({"rows":1,"records":3,"pushed":0,"already there":3,"refused":0})"
                      "\n");
  EXPECT_EQ(json.err, "");
}

TEST_F(PushTest, WhatIsPushedIsFetchedByteForByte) {
  ASSERT_EQ(Push({Example(1)}).exit_code, 0);
  for (const char* member : {"run", "protocol", "environment"}) {
    const std::string identity =
        testing::RunProgram("stele", {"canonicalize", Example(1), "--member", member}).out;
    const std::string manifest =
        testing::RunProgram("stele", {"canonicalize", Example(1), "--member", member, "--manifest"})
            .out;
    const std::string digest = ParseManifest(identity)->record.ToText();
    EXPECT_EQ(steled_.Stele({"get", digest}).out, identity);
    EXPECT_EQ(steled_.Stele({"get", digest, "--manifest"}).out, manifest);
    EXPECT_EQ(steled_.Stele({"get", digest.substr(7, 12)}).out, identity);
  }
}

TEST_F(PushTest, EveryKindOfInput) {
  const std::string lines = Manifest(1) + "\n\n" + Manifest(2) + "\n";
  EXPECT_EQ(Push({Write("a.ndjson", lines)}).out, Summary(2, 2, 2, 0, 0));
  EXPECT_EQ(Push({Write("b.ndjson.zst", Compress(lines + Manifest(3)))}).out,
            Summary(3, 3, 1, 2, 0));
  const std::string yaml =
      "apiVersion: v1\nkind: K\nspec: {number: 4}\n---\napiVersion: v1\nkind: K\nspec:\n"
      "  number: 5\n";
  EXPECT_EQ(Push({Write("c.yaml", yaml)}).out, Summary(2, 2, 2, 0, 0));
  EXPECT_EQ(Push({Write("d.json", Manifest(4))}).out, Summary(1, 1, 0, 1, 0));
  EXPECT_EQ(Push({"-"}, lines).out, Summary(2, 2, 0, 2, 0));
  EXPECT_EQ(Push({"-"}, Manifest(6)).out, Summary(1, 1, 1, 0, 0));
  EXPECT_EQ(Push({"-"}, yaml).out, Summary(2, 2, 0, 2, 0));
  EXPECT_EQ(Push({"-"}, Compress(lines)).out, Summary(2, 2, 0, 2, 0));
  const std::string bundle = "{\"a\":" + Manifest(7) + ",\"b\":" + Manifest(8) + "}";
  EXPECT_EQ(Push({Write("e.ndjson", bundle + "\n" + Manifest(7))}).out, Summary(2, 2, 2, 0, 0));
}

TEST_F(PushTest, StatementsHaveTheSizeThatIsAskedFor) {
  std::string lines;
  for (int n = 0; n < 10; ++n) lines += Manifest(n) + "\n";
  const uint64_t before = Entries();
  EXPECT_EQ(Push({"-", "--batch", "4"}, lines).out, Summary(10, 10, 10, 0, 0));
  EXPECT_EQ(Entries(), before + 3);
  const std::string entries = steled_.Stele({"log", "entries", "--start", "2"}).out;
  EXPECT_THAT(entries, AllOf(HasSubstr("4 subjects"), HasSubstr("2 subjects")));
}

TEST_F(PushTest, OneRecordWithOtherMetadataIsAnotherPublication) {
  const std::string lines = Manifest(1) + "\n" + Manifest(1, "n") + "\n" + Manifest(1) + "\n";
  const uint64_t before = Entries();
  EXPECT_EQ(Push({"-"}, lines).out, Summary(3, 1, 2, 0, 0));
  EXPECT_EQ(Entries(), before + 2);
  const std::string digest = ParseManifest(Manifest(1))->record.ToText();
  EXPECT_EQ(steled_.Stele({"get", digest, "--manifest"}).out,
            ParseManifest(Manifest(1, "n"))->canonical);
}

TEST_F(PushTest, RefusedItemsAreKeptAndTheRestGoesOn) {
  const std::string bad = R"({"apiVersion":"v1","kind":"K","spec":{"a":1,"a":2}})";
  const std::string worse = "not JSON \xff";
  const std::string path =
      Write("mixed.ndjson", Manifest(1) + "\n" + bad + "\n" + Manifest(2) + "\n" + worse + "\n");
  const RunResult result = Push({path, "--rejects", Path("rejects")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, Summary(4, 2, 2, 0, 2));
  EXPECT_THAT(result.err, AllOf(HasSubstr("mixed.ndjson:2: "), HasSubstr("DUPLICATE_NAME"),
                                HasSubstr("/spec/a"), HasSubstr("mixed.ndjson:4: ")));
  EXPECT_EQ(testing::ReadFile(Path("rejects")), bad + "\n" + worse + "\n");
  EXPECT_EQ(Push({path, "--rejects", path}).exit_code, 2);
}

TEST_F(PushTest, AFileThatCannotBeReadLeavesTheOthers) {
  const RunResult result =
      Push({Path("absent.json"), Write("a.json", Manifest(1)), Write("b.zst", "no zstd data")});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, Summary(1, 1, 1, 0, 0));
  EXPECT_THAT(result.err, AllOf(HasSubstr("absent.json"), HasSubstr("b.zst")));
}

TEST_F(PushTest, WarnsWhereTheRegistryNormalises) {
  const std::string manifest =
      R"({"apiVersion":"kernelindex.dev/v1alpha1","kind":"BenchmarkRun","spec":{"timing":{"x":"1.5ms"}}})";
  const RunResult result = Push({Write("a.json", manifest)});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("warning"), HasSubstr("/spec/timing/x")));
}

TEST_F(PushTest, KeysThatMayNotPublish) {
  const std::string file = Write("a.json", Manifest(1));
  const std::string stranger = Path("stranger.pem");
  testing::RunProgram("stele", {"keygen", stranger});
  const std::string attester = steled_.NewKey("attester", "attester");
  const std::string revoked = steled_.NewKey("revoked", "publisher");
  const std::string id = PublicKeyId(revoked);
  ASSERT_EQ(steled_
                .Stele({"key", "revoke", id, "--reason", "lost", "--signer",
                        steled_.operator_key().string()})
                .exit_code,
            0);
  for (const auto& [key, reason] : std::vector<std::pair<std::string, std::string>>{
           {stranger, "UNKNOWN_KEY"}, {attester, "ROLE"}, {revoked, "ROLE"}}) {
    const RunResult result = Push({file, "--signer", key, "--rejects", Path("rejects")});
    EXPECT_EQ(result.exit_code, 1) << key;
    EXPECT_THAT(result.err, HasSubstr(reason)) << key;
    EXPECT_EQ(result.out, Summary(1, 1, 0, 0, 1)) << key;
    EXPECT_EQ(testing::ReadFile(Path("rejects")), Manifest(1) + "\n");
  }
}

TEST_F(PushTest, ASecondPublisherPublishesItsOwn) {
  const std::string file = Write("a.json", Manifest(1));
  const std::string other = steled_.NewKey("other", "publisher");
  EXPECT_EQ(Push({file}).out, Summary(1, 1, 1, 0, 0));
  EXPECT_EQ(Push({file, "--signer", other}).out, Summary(1, 1, 1, 0, 0));
  const std::string named = Write("b.json", Manifest(1, "by other"));
  EXPECT_EQ(Push({named, "--signer", other}).out, Summary(1, 1, 1, 0, 0));
  const std::string digest = ParseManifest(Manifest(1))->record.ToText();
  EXPECT_EQ(steled_.Stele({"get", digest, "--manifest"}).out, Manifest(1));
  EXPECT_EQ(steled_.Stele({"get", digest, "--manifest", "--publisher", PublicKeyId(other)}).out,
            ParseManifest(Manifest(1, "by other"))->canonical);
}

TEST_F(PushTest, EcdsaKeysPublishAndReplay) {
  const std::string path = Path("p256.pem");
  testing::RunProgram("stele", {"keygen", path, "--algorithm", "ecdsa-p256"});
  ASSERT_EQ(steled_
                .Stele({"key", "grant", path + ".pub", "--name", "p", "--role", "publisher",
                        "--signer", steled_.operator_key().string()})
                .exit_code,
            0);
  const std::string file = Write("a.json", Manifest(1));
  EXPECT_EQ(Push({file, "--signer", path}).out, Summary(1, 1, 1, 0, 0));
  EXPECT_EQ(Push({file, "--signer", path}).out, Summary(1, 1, 0, 1, 0));
}

TEST_F(PushTest, WaitsForAServerThatComesBack) {
  std::string lines;
  for (int n = 0; n < 200; ++n) lines += Manifest(n) + "\n";
  const std::string file = Write("a.ndjson", lines);
  steled_.Kill();
  std::thread operator_thread([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    steled_.Start();
  });
  const RunResult result = Push({file, "--batch", "1"});
  operator_thread.join();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, Summary(200, 200, 200, 0, 0));
  EXPECT_THAT(result.err, HasSubstr("trying again"));
}

// A server that refuses some subjects: `push` signs the rest anew.
TEST_F(PushTest, OneRefusedSubjectLeavesTheOthersOfItsStatement) {
  const std::string bad_digest = ParseManifest(Manifest(3))->record.ToHex();
  client::LyingServer server(steled_.address());
  server.lies.refuse = [&](const v1::StatementItem& item) -> std::optional<google::rpc::Status> {
    for (int n = 0; n < item.manifests_size(); ++n) {
      const int number = item.manifests(n).at(item.manifests(n).size() - 3) - '0';
      if (number != 3 && number != 7) continue;
      google::rpc::Status status;
      status.set_code(static_cast<int>(absl::StatusCode::kFailedPrecondition));
      status.set_message("not this one");
      google::rpc::ErrorInfo info;
      info.set_domain("stele");
      info.set_reason(std::string(reason::kRole));
      (*info.mutable_metadata())["pointer"] = "/subject/" + std::to_string(n);
      status.add_details()->PackFrom(info);
      return status;
    }
    return std::nullopt;
  };
  std::string lines;
  for (int n = 0; n < 10; ++n) lines += Manifest(n) + "\n";
  const RunResult result =
      testing::RunProgram("stele",
                          {"push", "-", "--signer", publisher_, "--server", server.address(),
                           "--state", Path("state2"), "--rejects", Path("rejects")},
                          lines);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, Summary(10, 10, 8, 0, 2));
  EXPECT_THAT(result.err, AllOf(HasSubstr("standard input:4: the server refused K sha256:" +
                                          bad_digest + ": not this one [ROLE]"),
                                HasSubstr("standard input:8: ")));
  EXPECT_EQ(testing::ReadFile(Path("rejects")), Manifest(3) + "\n" + Manifest(7) + "\n");
}

TEST_F(PushTest, ALyingServerIsExitFour) {
  client::LyingServer server(steled_.address());
  server.lies.published = [](v1::PublishResponse& response) {
    std::string* leaf = response.mutable_results(0)->mutable_receipt()->mutable_leaf();
    (*leaf)[leaf->size() / 2] = static_cast<char>((*leaf)[leaf->size() / 2] ^ 1);
  };
  const RunResult push =
      testing::RunProgram("stele", {"push", Example(1), "--signer", publisher_, "--server",
                                    server.address(), "--state", Path("state2")});
  EXPECT_EQ(push.exit_code, 4) << push.err;
  server.lies.content = [](v1::GetContentResponse& response) { response.set_content("lie"); };
  const RunResult get = testing::RunProgram("stele", {"get", std::string(64, 'a'), "--server",
                                                      server.address(), "--state", Path("state2")});
  EXPECT_EQ(get.exit_code, 1) << "an error of the server's is no lie";
  const RunResult record = testing::RunProgram(
      "stele", {"get", "c61f8cd5ac43d94099a10751c5f8dd4151fdb82a459dc957d43121b7bc6a5336",
                "--server", server.address(), "--state", Path("state2")});
  EXPECT_EQ(record.exit_code, 4);
  EXPECT_EQ(record.out, "");
}

}  // namespace
}  // namespace stele::tools
