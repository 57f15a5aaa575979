// `stele log proof`, `consistency` and `watch` against a real server, and against a lying one.
#include "core/base/base64.h"
#include "core/json/parse.h"
#include "core/merkle/proof.h"
#include "tests/support/client/lying_server.h"
#include "tests/tools/end_to_end/served_test.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunResult;

class LogProofsTest : public ServedTest {
 protected:
  LogProofsTest() {
    std::string lines;
    for (int n = 0; n < 8; ++n) lines += Manifest(n) + "\n";
    EXPECT_EQ(Push({"-", "--batch", "1"}, lines).exit_code, 0);  // 10 entries
  }
  static json::Value Parse(const RunResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    absl::StatusOr<json::Value> value = json::Parse(result.out);
    EXPECT_TRUE(value.ok()) << result.out;
    return value.ok() ? *std::move(value) : json::Value();
  }
  static uint64_t Number(const json::Value& value, std::string_view name) {
    return static_cast<uint64_t>(*value.object()->Find(name)->number());
  }
  static Hash Root(const json::Value& value, std::string_view name) {
    return *Hash::FromText(*value.object()->Find(name)->string());
  }
  static Proof Hashes(const json::Value& value, std::string_view name) {
    Proof proof;
    for (const json::Value& hash : *value.object()->Find(name)->array()) {
      proof.push_back(*Hash::FromBytes(*Base64DecodeStrict(*hash.string())));
    }
    return proof;
  }
};

TEST_F(LogProofsTest, ProofsCanBeCheckedByHand) {
  const json::Value proof = Parse(steled_.Stele({"log", "proof", "3", "--size", "7", "--json"}));
  EXPECT_EQ(Number(proof, "index"), 3u);
  EXPECT_EQ(Number(proof, "size"), 7u);
  EXPECT_EQ(VerifyInclusion(EntryIndex(3), TreeSize(7), Root(proof, "leafHash"),
                            Hashes(proof, "proof"), Root(proof, "root")),
            absl::OkStatus());
  const json::Value newest = Parse(steled_.Stele({"log", "proof", "3", "--json"}));
  EXPECT_EQ(Number(newest, "size"), 10u);
  EXPECT_EQ(VerifyConsistency(TreeSize(7), TreeSize(10), Root(proof, "root"), Root(newest, "root"),
                              Hashes(proof, "toHead")),
            absl::OkStatus());
  EXPECT_EQ(*newest.object()->Find("checkpoint")->string(),
            steled_.Stele({"log", "head", "--raw"}).out);
  EXPECT_THAT(
      steled_.Stele({"log", "proof", "3"}).out,
      AllOf(HasSubstr("index   3\n"), HasSubstr("size    10\n"), HasSubstr("root    sha256:")));

  const json::Value grown = Parse(steled_.Stele({"log", "consistency", "4", "7", "--json"}));
  EXPECT_EQ(Root(grown, "root"), Root(proof, "root"));
  EXPECT_EQ(VerifyConsistency(TreeSize(4), TreeSize(7), Root(grown, "fromRoot"),
                              Root(grown, "root"), Hashes(grown, "proof")),
            absl::OkStatus());
  EXPECT_EQ(Number(Parse(steled_.Stele({"log", "consistency", "4", "--json"})), "size"), 10u);
  EXPECT_THAT(steled_.Stele({"log", "consistency", "10"}).out,
              AllOf(HasSubstr("from    10  sha256:"), HasSubstr("proof   0 hashes\n")));
}

TEST_F(LogProofsTest, ATlogProofVerifiesOffline) {
  const std::string policy = (steled_.data() / "policy").string();
  for (const char* index : {"0", "3", "9"}) {
    const std::string leaf = Path(std::string(index) + ".leaf");
    const RunResult proof = steled_.Stele({"log", "proof", index, "--raw", "--leaf", leaf});
    ASSERT_EQ(proof.exit_code, 0) << proof.err;
    const std::string file = Write(std::string(index) + ".tlog-proof", proof.out);
    EXPECT_EQ(testing::ReadFile(leaf) + "\n",
              steled_.Stele({"log", "entries", "--start", index, "--limit", "1", "--raw"}).out);
    const RunResult fine =
        RunProgram("stele", {"verify", file, "--leaf", leaf, "--policy", policy});
    EXPECT_EQ(fine.exit_code, 0) << fine.err;
    const std::string other = Write("other.leaf", testing::ReadFile(leaf) + " ");
    EXPECT_EQ(RunProgram("stele", {"verify", file, "--leaf", other, "--policy", policy}).exit_code,
              4);
    const RunResult again = steled_.Stele({"log", "proof", index, "--raw", "--leaf", leaf});
    EXPECT_EQ(again.exit_code, 1) << "the leaf's file is there: " << again.err;
  }
  EXPECT_EQ(steled_.Stele({"log", "proof", "10", "--raw"}).exit_code, 1);
  EXPECT_EQ(steled_.Stele({"log", "proof", "3", "--raw", "--size", "7"}).exit_code, 2);
  EXPECT_EQ(steled_.Stele({"log", "proof", "3", "--raw", "--json"}).exit_code, 2);
  EXPECT_EQ(steled_.Stele({"log", "proof", "3", "--leaf", Path("x")}).exit_code, 2);
}

TEST_F(LogProofsTest, WhatDoesNotExist) {
  EXPECT_EQ(steled_.Stele({"log", "proof", "10"}).exit_code, 1);
  EXPECT_EQ(steled_.Stele({"log", "proof", "3", "--size", "3"}).exit_code, 1);
  EXPECT_EQ(steled_.Stele({"log", "proof", "3", "--size", "11"}).exit_code, 1);
  EXPECT_EQ(steled_.Stele({"log", "consistency", "3", "11"}).exit_code, 1);
  const RunResult zero = steled_.Stele({"log", "consistency", "0", "5"});
  EXPECT_EQ(zero.exit_code, 2);
  EXPECT_THAT(zero.err, HasSubstr("no consistency proof from size 0"));
  EXPECT_EQ(steled_.Stele({"log", "consistency", "5", "4"}).exit_code, 2);
  EXPECT_EQ(steled_.Stele({"log", "proof", "-1"}).exit_code, 2);
}

TEST_F(LogProofsTest, ALieIsNotShown) {
  client::LyingServer server(steled_.address());
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--server", server.address(), "--policy",
                                       (steled_.data() / "policy").string()});
    return RunProgram("stele", arguments);
  };
  EXPECT_EQ(run({"log", "proof", "3"}).exit_code, 0);
  const auto flip = [](std::string* bytes) {
    bytes->back() = static_cast<char>(bytes->back() ^ 1);
  };
  server.lies.inclusion = [&](v1::GetInclusionProofResponse& r) { flip(r.mutable_proof(0)); };
  server.lies.consistency = [&](v1::GetConsistencyProofResponse& r) {
    flip(r.mutable_from_root());
  };
  server.lies.watched = [&](v1::WatchHeadResponse& r) { flip(r.mutable_checkpoint()); };
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"log", "proof", "3"},
                                                    {"log", "consistency", "3"},
                                                    {"log", "watch", "--count", "1"}}) {
    const RunResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 4) << arguments[1];
    EXPECT_EQ(result.out, "") << arguments[1];
  }
}

TEST_F(LogProofsTest, WatchShowsEachHeadOverARestart) {
  testing::Child watch("stele",
                       {"log", "watch", "--json", "--count", "3", "--server", steled_.address(),
                        "--policy", (steled_.data() / "policy").string()},
                       Path("watch.err"));
  const auto size = [&] {
    const auto line = watch.ReadLine(std::chrono::minutes(1));
    EXPECT_TRUE(line.has_value());
    return Number(*json::Parse(line.value_or("{\"size\":0}")), "size");
  };
  EXPECT_EQ(size(), 10u);
  ASSERT_EQ(Push({Write("a.json", Manifest(100))}).exit_code, 0);
  EXPECT_EQ(size(), 11u);
  steled_.Kill();
  steled_.Start();
  ASSERT_EQ(Push({Write("b.json", Manifest(101))}).exit_code, 0);
  EXPECT_EQ(size(), 12u);
  EXPECT_EQ(watch.Wait(std::chrono::minutes(1)), 0);
}

}  // namespace
}  // namespace stele::tools
