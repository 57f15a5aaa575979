#include "core/tlog/trust_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "tests/core/tlog/signers.h"
#include "tests/support/shared.h"

namespace stele {
namespace {

using ::testing::HasSubstr;
using testing::LogSigner;
using testing::WitnessSigner;
using Kind = TrustPolicy::Member::Kind;

std::string Log(const std::string& name) {
  return "log " + LogSigner(name).verifier.ToVkey() + "\n";
}
std::string Witness(const std::string& name) {
  return "witness " + name + " " + WitnessSigner(name).verifier.ToVkey() + "\n";
}

TEST(TrustPolicy, TheGoldenOne) {
  const auto policy = ParseTrustPolicy(testing::ReadFile(testing::VectorsDir() / "log" / "policy"));
  ASSERT_TRUE(policy.ok()) << policy.status();
  ASSERT_EQ(policy->logs.size(), 2u);
  EXPECT_EQ(policy->logs[1].key.name, "log.example/vectors");
  EXPECT_FALSE(policy->quorum);
}

TEST(TrustPolicy, TwoLevelsOfGroups) {
  std::string text = Log("log.example/x") + "\n";
  for (const char* name : {"X1", "X2", "X3", "Y1", "Y2", "Y3"}) text += Witness(name);
  text +=
      "group X-witnesses 2 X1 X2 X3\ngroup Y-witnesses any Y1 Y2 Y3\n"
      "group X-and-Y all X-witnesses Y-witnesses\nquorum X-and-Y\n";
  const auto policy = ParseTrustPolicy(text);
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->witnesses.size(), 6u);
  ASSERT_EQ(policy->groups.size(), 3u);
  EXPECT_EQ(policy->groups[0].threshold, 2u);
  EXPECT_EQ(policy->groups[1].threshold, 1u);
  EXPECT_EQ(policy->groups[2].threshold, 2u);
  EXPECT_EQ(policy->groups[1].members[2], (TrustPolicy::Member{Kind::kWitness, 5}));
  EXPECT_EQ(policy->groups[2].members[0], (TrustPolicy::Member{Kind::kGroup, 0}));
  EXPECT_EQ(policy->quorum, (TrustPolicy::Member{Kind::kGroup, 2}));
  EXPECT_TRUE(policy->Warnings().empty());
}

TEST(TrustPolicy, WhiteSpaceCommentsUrlsAndOtherOctets) {
  const std::string log = LogSigner("log.example/x").verifier.ToVkey();
  const std::string witness = WitnessSigner("w").verifier.ToVkey();
  const auto policy = ParseTrustPolicy("# comment \xff\n  # another\n\t \n\t log\t " + log +
                                       "  https://log.example/ \n \n\nwitness \xe2\x84\xaa " +
                                       witness + " https://w.example/\nquorum\t\xe2\x84\xaa\t\n");
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->logs[0].url, "https://log.example/");
  EXPECT_EQ(policy->witnesses[0].name, "\xe2\x84\xaa");
  EXPECT_EQ(policy->witnesses[0].url, "https://w.example/");
  EXPECT_EQ(policy->quorum, (TrustPolicy::Member{Kind::kWitness, 0}));
}

TEST(TrustPolicy, MayNameNoLog) {
  const auto policy = ParseTrustPolicy("quorum none\n");
  ASSERT_TRUE(policy.ok());
  EXPECT_TRUE(policy->LogKeys().empty());
}

TEST(TrustPolicy, AnMlDsaWitnessIsReadAndNamedInAWarning) {
  const auto policy = ParseTrustPolicy("witness pq " + testing::MlDsaVkey("pq") + "\nquorum pq\n");
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_FALSE(policy->witnesses[0].cosigner);
  ASSERT_EQ(policy->Warnings().size(), 1u);
  EXPECT_THAT(policy->Warnings()[0], HasSubstr("the witness pq has an ML-DSA-44 key"));
}

TEST(TrustPolicy, AKeyMayBeALogsAndAWitness) {
  const PublicKey key = LogSigner("x").key.public_key();
  EXPECT_TRUE(ParseTrustPolicy("log " + NoteVerifier::Make("a", key)->ToVkey() + "\nwitness w " +
                               CosignerVerifier::Make("b", key)->ToVkey() + "\nquorum w\n")
                  .ok());
}

TEST(TrustPolicy, TheSizesThatTheTextRecommendsAndMore) {
  std::string text, all = "group all all";
  for (int i = 0; i < 200; ++i) {
    text += Log("log.example/" + std::to_string(i)) + Witness("w" + std::to_string(i));
    text += "group g" + std::to_string(i) + " 1 w" + std::to_string(i) + "\n";
    all += " g" + std::to_string(i);
  }
  const auto policy = ParseTrustPolicy(text + all + "\nquorum all\n");
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->groups.back().members.size(), 200u);
}

struct Refused {
  std::string text;
  std::string line;
  std::string message;
};

TEST(TrustPolicy, Refused) {
  const std::string log = Log("log.example/x"), w = Witness("w"), v = Witness("v");
  const PublicKey key = WitnessSigner("w").key.public_key();
  const std::string w_again = "witness u " + CosignerVerifier::Make("other", key)->ToVkey() + "\n";
  const std::string x_again =
      "log " + NoteVerifier::Make("y", LogSigner("log.example/x").key.public_key())->ToVkey() +
      "\n";
  const std::string pq = "witness p " + testing::MlDsaVkey("p") + "\n";
  std::string wrong_id = log;
  wrong_id[wrong_id.find('+') + 1] ^= 1;
  const std::vector<Refused> cases = {
      {"", "", "no line `quorum"},
      {log, "", "no line `quorum"},
      {"quorum none", "1", "newline"},
      {log + "quorum none\n#", "3", "newline"},
      {"quorum none\r\n", "1", "control"},
      {"quorum none\n# \x7f\n", "2", "control"},
      {std::string("quorum none\n#\0\n", 15), "2", "control"},
      {"\xef\xbb\xbfquorum none\n", "1", "expected log"},
      {"Quorum none\n", "1", "expected log"},
      {"quorum\n", "1", "quorum NAME"},
      {"quorum none none\n", "1", "quorum NAME"},
      {"quorum none\nquorum none\n", "2", "second"},
      {"quorum w\n" + w, "1", "not defined above"},
      {"log\nquorum none\n", "1", "log VKEY"},
      {log.substr(0, log.size() - 1) + " a b\nquorum none\n", "1", "log VKEY"},
      {"log x\nquorum none\n", "1", "vkey"},
      {wrong_id + "quorum none\n", "1", "id"},
      {log + log + "quorum none\n", "2", "above already"},
      {log + x_again + "quorum none\n", "2", "above already"},
      {"log" + w.substr(w.rfind(' ')) + "quorum none\n", "1", "another type"},
      {"witness w" + log.substr(3) + "quorum none\n", "1", "another type"},
      {"witness w\nquorum none\n", "1", "witness NAME VKEY"},
      {"witness none" + w.substr(9) + "quorum none\n", "1", "empty quorum"},
      {w + w_again + "quorum w\n", "2", "above already"},
      {pq + "witness q " + testing::MlDsaVkey("p") + "\nquorum none\n", "2", "above already"},
      {"witness q " + FormatVkey({"q", kCosignatureMlDsa44, std::string(1311, 'k')}) +
           "\nquorum none\n",
       "1", "1312"},
      {w + "witness w" + v.substr(9) + "quorum w\n", "2", "defined above already"},
      {w + "group w all w\nquorum w\n", "2", "defined above already"},
      {w + "group none all w\nquorum w\n", "2", "empty quorum"},
      {w + "group g all g\nquorum w\n", "2", "not defined above"},
      {w + "group g all none\nquorum w\n", "2", "not defined above"},
      {w + "group g all\nquorum w\n", "2", "MEMBER"},
      {w + v + "group g all w v w\nquorum g\n", "3", "in a group already"},
      {w + v + "group g all w\ngroup h all v w\nquorum g\n", "4", "in a group already"},
      {w + v + "group g 0 w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g 3 w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g 01 w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g +1 w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g -1 w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g 1x w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g 99999999999999999999 w v\nquorum g\n", "3", "1 to 2"},
      {w + v + "group g ALL w v\nquorum g\n", "3", "1 to 2"}};
  for (const Refused& c : cases) {
    const absl::Status status = ParseTrustPolicy(c.text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.message)) << c.text;
    if (!c.line.empty()) {
      EXPECT_THAT(std::string(status.message()), ::testing::StartsWith("line " + c.line + ": "))
          << c.text;
    }
  }
  EXPECT_FALSE(
      ParseTrustPolicy("quorum none\n" + std::string(limits::kTrustPolicyBytes, '\n')).ok());
}

}  // namespace
}  // namespace stele
