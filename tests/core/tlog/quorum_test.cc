#include "core/tlog/quorum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "tests/core/tlog/signers.h"

namespace stele {
namespace {

using ::testing::HasSubstr;
using testing::LogSigner;
using testing::WitnessSigner;

constexpr char kOrigin[] = "log.example/x";

class Quorum : public ::testing::Test {
 protected:
  TrustPolicy Policy(const std::string& rest) const {
    std::string text = "log " + log_.verifier.ToVkey() + "\n";
    for (const WitnessSigner& witness : witnesses_) {
      text += "witness " + witness.verifier.name + " " + witness.verifier.ToVkey() + "\n";
    }
    absl::StatusOr<TrustPolicy> policy = ParseTrustPolicy(text + rest);
    EXPECT_TRUE(policy.ok()) << policy.status();
    return *policy;
  }
  // Cosigned by those whose bit is set.
  Note Cosigned(unsigned bits) const {
    Note note = log_.Sign(7, Sha256("root"));
    for (size_t i = 0; i < witnesses_.size(); ++i) {
      if (bits >> i & 1) witnesses_[i].Cosign(note, 100 + i);
    }
    return note;
  }
  const LogSigner log_{kOrigin};
  const std::vector<WitnessSigner> witnesses_{WitnessSigner("X1"), WitnessSigner("X2"),
                                              WitnessSigner("X3"), WitnessSigner("Y1"),
                                              WitnessSigner("Y2")};
};

TEST_F(Quorum, EverySubsetOfTheWitnessesAgainstEveryRule) {
  struct Rule {
    std::string lines;
    bool (*met)(unsigned x, unsigned y);  // how many of the Xs and of the Ys
  };
  const std::vector<Rule> rules = {
      {"quorum none\n", [](unsigned, unsigned) { return true; }},
      {"group g any X1 X2 X3\nquorum g\n", [](unsigned x, unsigned) { return x >= 1; }},
      {"group g 2 X1 X2 X3\nquorum g\n", [](unsigned x, unsigned) { return x >= 2; }},
      {"group g all X1 X2 X3\nquorum g\n", [](unsigned x, unsigned) { return x == 3; }},
      {"group x 2 X1 X2 X3\ngroup y any Y1 Y2\ngroup g all x y\nquorum g\n",
       [](unsigned x, unsigned y) { return x >= 2 && y >= 1; }},
      {"group x 2 X1 X2 X3\ngroup y all Y1 Y2\ngroup g any x y\nquorum g\n",
       [](unsigned x, unsigned y) { return x >= 2 || y == 2; }},
      {"group x 2 X1 X2 X3\ngroup y all Y1 Y2\nquorum y\n",
       [](unsigned, unsigned y) { return y == 2; }},
      {"group g 2 X1 X2 X3\ngroup h 3 g Y1 Y2\nquorum h\n",
       [](unsigned x, unsigned y) { return x >= 2 && y == 2; }}};
  for (const Rule& rule : rules) {
    const TrustPolicy policy = Policy(rule.lines);
    for (unsigned bits = 0; bits < 32; ++bits) {
      const auto x = static_cast<unsigned>(__builtin_popcount(bits & 7));
      const auto y = static_cast<unsigned>(__builtin_popcount(bits >> 3));
      const auto opened = OpenCheckpoint(FormatNote(Cosigned(bits)), policy);
      ASSERT_EQ(opened.ok(), rule.met(x, y)) << rule.lines << bits << opened.status();
      if (opened.ok()) {
        EXPECT_EQ(opened->cosigners.size(), x + y);
        continue;
      }
      EXPECT_EQ(ReasonOf(opened.status()), reason::kCheckpointQuorum);
    }
  }
}

TEST_F(Quorum, NamesWhoCosignedAndWhen) {
  Note note = Cosigned(0b10001);
  witnesses_[4].Cosign(note, 50);
  const auto opened = OpenCheckpoint(FormatNote(note), Policy("quorum Y2\n"));
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->checkpoint.size, TreeSize(7));
  EXPECT_EQ(opened->signers, (std::vector<std::string>{log_.verifier.ToVkey()}));
  ASSERT_EQ(opened->cosigners.size(), 2u);
  EXPECT_EQ(opened->cosigners[0].name, "X1");
  EXPECT_EQ(opened->cosigners[0].time, CosignatureTime(100));
  EXPECT_EQ(opened->cosigners[1].vkey, witnesses_[4].verifier.ToVkey());
  EXPECT_EQ(opened->cosigners[1].time, CosignatureTime(50)) << "the oldest of its lines";
}

TEST_F(Quorum, SaysWhatIsMissing) {
  const auto group = OpenCheckpoint(FormatNote(Cosigned(1)), Policy("group g 2 X1 X2\nquorum g\n"));
  EXPECT_THAT(std::string(group.status().message()),
              HasSubstr("2 of the 2 of group g; 1 known witnesses cosigned"));
  const auto witness = OpenCheckpoint(FormatNote(Cosigned(1)), Policy("quorum Y1\n"));
  EXPECT_THAT(std::string(witness.status().message()), HasSubstr("the witness Y1"));
}

TEST_F(Quorum, ALineOfAKnownWitnessThatDoesNotVerifyRefusesTheNote) {
  Note note = Cosigned(0b11);
  note.signatures[2].signature[20] ^= 1;
  for (const char* quorum : {"quorum none\n", "quorum X1\n", "quorum X2\n"}) {
    EXPECT_EQ(ReasonOf(OpenCheckpoint(FormatNote(note), Policy(quorum)).status()),
              reason::kCheckpointSignature);
  }
}

TEST_F(Quorum, LinesOfUnknownWitnessesAreIgnored) {
  Note note = Cosigned(1);
  WitnessSigner("stranger").Cosign(note, 1);
  note.signatures.back().signature[9] ^= 1;
  note.signatures.push_back({"X1", 12345, std::string(72, 'x')});
  EXPECT_TRUE(OpenCheckpoint(FormatNote(note), Policy("quorum X1\n")).ok());
}

TEST_F(Quorum, CosignaturesNeverReplaceTheLogsSignature) {
  Note note = Cosigned(0b11111);
  note.signatures.erase(note.signatures.begin());
  EXPECT_EQ(ReasonOf(OpenCheckpoint(FormatNote(note), Policy("quorum X1\n")).status()),
            reason::kCheckpointUnsigned);
  EXPECT_EQ(
      ReasonOf(
          OpenCheckpoint(FormatNote(Cosigned(0)), *ParseTrustPolicy("quorum none\n")).status()),
      reason::kCheckpointUnsigned)
      << "a policy without logs trusts none";
}

TEST_F(Quorum, ACosignatureOfAnotherCheckpointIsNone) {
  Note other = log_.Sign(8, Sha256("other"));
  witnesses_[0].Cosign(other, 100);
  Note note = Cosigned(0);
  note.signatures.push_back(other.signatures.back());
  EXPECT_EQ(ReasonOf(OpenCheckpoint(FormatNote(note), Policy("quorum X1\n")).status()),
            reason::kCheckpointSignature);
}

TEST_F(Quorum, AnMlDsaWitnessNeverCounts) {
  const std::string pq = testing::MlDsaVkey("pq");
  const TrustPolicy one = Policy("witness pq " + pq + "\ngroup g any pq X1\nquorum g\n");
  Note note = Cosigned(0);
  note.signatures.push_back({"pq", KeyHashOf(*ParseVkey(pq)), std::string(2428, 's')});
  EXPECT_EQ(ReasonOf(OpenCheckpoint(FormatNote(note), one).status()), reason::kCheckpointQuorum);
  witnesses_[0].Cosign(note, 1);
  EXPECT_TRUE(OpenCheckpoint(FormatNote(note), one).ok());
}

}  // namespace
}  // namespace stele
