// `stele verify` as a program: citations and tlog-proofs, offline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/json/parse.h"
#include "tests/support/program/child.h"
#include "tests/support/store/temp_dir.h"
#include "tests/support/vector_json.h"

namespace stele::tools {
namespace {

using ::testing::AllOf;
using testing::At;
using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunResult;
using testing::Text;

class VerifyTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string path = (dir_.path() / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  static std::string Bundle(const std::string& name) {
    return (testing::VectorsDir() / "citations" / (name + ".stele-citation.json")).string();
  }
  RunResult Verify(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "verify");
    arguments.insert(arguments.end(), {"--policy", policy_});
    return RunProgram("stele", arguments);
  }
  const testing::TempDir dir_;
  const std::string policy_ = (testing::VectorsDir() / "log" / "policy").string();
};

TEST_F(VerifyTest, SaysEachThingThatItChecked) {
  const RunResult result = Verify({Bundle("attested-and-retracted")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("record      sha256:bfa2a399"),
                    HasSubstr("permalink   https://log.example/vectors/records/bfa2a399"),
                    HasSubstr("manifest    sha256:"),
                    HasSubstr("checkpoint  log.example/vectors, 300 entries, root sha256:ba0bf04b"),
                    HasSubstr("signed by   log.example/vectors+350f8ce7+"),
                    HasSubstr("quorum      the policy demands no witness\n"),
                    HasSubstr("entries     18: each is in the tree"),
                    HasSubstr("entry 38    verification by sha256:fa93b3d1"),
                    HasSubstr("disputed    entry 159, by the revocation in entry 165"),
                    HasSubstr("RETRACTED   superseded by sha256:c7255b3d"),
                    HasSubstr("not shown   that these are all entries about the record")));
}

TEST_F(VerifyTest, OneJsonDocument) {
  const RunResult result = Verify({Bundle("with-disputed-and-withheld-entries"), "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto value = json::Parse(result.out);
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_TRUE(testing::Flag(At(*value, "verified")));
  EXPECT_EQ(testing::List(At(*value, "about")).size(), 4u);
  EXPECT_EQ(testing::Number(testing::List(At(*value, "withheldEntries"))[0]), 56);
  EXPECT_EQ(testing::List(At(*value, "disputed")).size(), 2u);
  EXPECT_THAT(Text(At(*value, "notShown")), HasSubstr("completeness"));

  const RunResult refused = Verify({Bundle("broken-leaf-changed"), "--json"});
  EXPECT_EQ(refused.exit_code, 4);
  const auto refusal = json::Parse(refused.out);
  ASSERT_TRUE(refusal.ok()) << refusal.status();
  EXPECT_FALSE(testing::Flag(At(*refusal, "verified")));
  EXPECT_EQ(Text(At(*refusal, "reason")), "PROOF_ROOT");
  EXPECT_EQ(Text(At(*refusal, "pointer")), "/entries/16/proof");
}

TEST_F(VerifyTest, WhatDoesNotVerifyIsExitFourAndWhatIsNoBundleExitOne) {
  for (const char* name : {"broken-signature-that-is-wrong", "broken-permalink-elsewhere",
                           "broken-hash-of-a-proof", "broken-publication-left-out"}) {
    const RunResult result = Verify({Bundle(name)});
    EXPECT_EQ(result.exit_code, 4) << name;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("does not verify: "));
  }
  EXPECT_THAT(Verify({Bundle("broken-permalink-elsewhere")}).err,
              HasSubstr("[PERMALINK at /permalink]"));
  for (const std::string& file :
       {Bundle("broken-not-canonical"), Write("empty", ""), Write("text", "text\n")}) {
    const RunResult result = Verify({file});
    EXPECT_EQ(result.exit_code, 1) << file;
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(VerifyTest, ATlogProofOfALeaf) {
  const json::Value proofs = testing::LoadVectors("proofs.json");
  const json::Value& golden = testing::List(At(proofs, "tlogProofs"))[2];
  const std::string proof = Write("a.tlog-proof", Text(At(golden, "text")));
  const std::string leaf = Write("leaf", testing::Bytes(At(golden, "leaf")));
  const RunResult result = Verify({proof, "--leaf", leaf});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("entry       69: the leaf is in the tree"),
                                HasSubstr("extra       8 bytes, for which nobody vouches"),
                                HasSubstr("log.example/vectors, 70 entries")));
  EXPECT_THAT(Verify({proof, "--leaf", leaf, "--json"}).out, HasSubstr("\"index\":69"));
  const RunResult other = Verify({proof, "--leaf", Write("other", "{}")});
  EXPECT_EQ(other.exit_code, 4);
  EXPECT_THAT(other.err, HasSubstr("[PROOF_ROOT]"));
  EXPECT_EQ(Verify({Write("b.tlog-proof", "c2sp.org/tlog-proof@v1\n"), "--leaf", leaf}).exit_code,
            1);
}

TEST_F(VerifyTest, MistakesAreUsageErrors) {
  const std::string proof = Write("a.tlog-proof", "c2sp.org/tlog-proof@v1\n");
  EXPECT_EQ(RunProgram("stele", {"verify", Bundle("plain")}).exit_code, 2);
  EXPECT_EQ(RunProgram("stele", {"verify", "--policy", policy_}).exit_code, 2);
  EXPECT_EQ(Verify({"/nowhere"}).exit_code, 2);
  EXPECT_EQ(Verify({proof}).exit_code, 2);
  EXPECT_EQ(Verify({proof, "--leaf", "/nowhere"}).exit_code, 2);
  EXPECT_EQ(Verify({Bundle("plain"), "--leaf", proof}).exit_code, 2);
}

TEST_F(VerifyTest, PoliciesThatCannotBeUsedAndOnesThatWarn) {
  const auto verify = [&](const std::string& policy) {
    return RunProgram("stele", {"verify", Bundle("plain"), "--policy", Write("policy", policy)});
  };
  const std::string golden = testing::ReadFile(policy_);
  const std::string logs = golden.substr(0, golden.find("quorum"));
  const RunResult no_log = verify("quorum none\n");
  EXPECT_EQ(no_log.exit_code, 2);
  EXPECT_THAT(no_log.err, HasSubstr("there is no line `log VKEY`"));
  const RunResult line = verify(logs + "quorum w\n");
  EXPECT_EQ(line.exit_code, 2);
  EXPECT_THAT(line.err, HasSubstr("policy: line 3: w is not defined above"));
  // A cosigner of the golden vectors that never cosigned.
  const std::string witness =
      "witness w log.example/vectors+885be4de+BEkBRa8qGQg1VtOnQhD+7HwqPFrRSG7FzECIYywG+SX8\n";
  const RunResult unmet = verify(logs + witness + "quorum w\n");
  EXPECT_EQ(unmet.exit_code, 4);
  EXPECT_THAT(unmet.err, HasSubstr("[CHECKPOINT_QUORUM]"));
  EXPECT_EQ(verify(logs + witness + "quorum none\n").exit_code, 0);
}

}  // namespace
}  // namespace stele::tools
