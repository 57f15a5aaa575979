#include "core/tlog/tlog_proof.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Base64Member;
using testing::Text;

class TlogProofTest : public ::testing::Test {
 protected:
  absl::StatusOr<TrustedCheckpoint> Verify(std::string_view text, std::string_view leaf) const {
    absl::StatusOr<TlogProof> proof = ParseTlogProof(text);
    if (!proof.ok()) return proof.status();
    return VerifyTlogProof(*proof, LeafHash(leaf), policy_);
  }
  const testing::VectorFile file_{testing::VectorsDir() / "proofs.json"};
  const TrustPolicy policy_ =
      *ParseTrustPolicy(testing::ReadFile(testing::VectorsDir() / "log" / "policy"));
};

TEST_F(TlogProofTest, GoldenProofs) {
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file_.root()["tlogProofs"])) {
    const std::string text = Text(c, "text");
    const auto proof = ParseTlogProof(text);
    ASSERT_TRUE(proof.ok()) << proof.status();
    EXPECT_EQ(proof->index.value(), uint64_t(c["index"]));
    EXPECT_EQ(FormatTlogProof(*proof), text);
    const auto trusted = Verify(text, Base64Member(c, "leaf"));
    ASSERT_TRUE(trusted.ok()) << trusted.status();
    EXPECT_EQ(trusted->checkpoint.size, TreeSize(70));
    ++cases;
  }
  EXPECT_EQ(cases, 3u);
}

TEST_F(TlogProofTest, GoldenRefusals) {
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file_.root()["refusedTlogProofs"])) {
    SCOPED_TRACE(Text(c, "name"));
    EXPECT_EQ(ReasonOf(Verify(Text(c, "text"), Base64Member(c, "leaf")).status()),
              Text(c, "reason"));
    ++cases;
  }
  EXPECT_EQ(cases, 10u);
}

TEST_F(TlogProofTest, EveryChangedByteIsRefused) {
  simdjson::dom::element c = simdjson::dom::array(file_.root()["tlogProofs"]).at(2);
  const std::string text = Text(c, "text"), leaf = Base64Member(c, "leaf");
  const size_t extra = text.find("extra "), index = text.find("index ");
  for (size_t at = 0; at < text.size(); ++at) {
    for (char flip : {'\x01', '\x04', '\x20'}) {
      std::string changed = text;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const bool in_extra = at >= extra + 6 && at + 1 < index;  // nobody vouches for it
      const auto proof = Verify(changed, leaf);
      EXPECT_TRUE(in_extra || !proof.ok()) << at << " " << changed;
    }
    EXPECT_FALSE(Verify(text.substr(0, at), leaf).ok()) << at;
  }
}

TEST_F(TlogProofTest, OtherFormsAreRefused) {
  const std::string note = "a\n1\n\n\xe2\x80\x94 a AAAAAAA=\n";
  const std::string hash = "PXAhZ+9SfomlSMwH80e2uT5xZopNAxtMgbEV8y4pTYw=\n";
  const std::string head = "c2sp.org/tlog-proof@v1\n";
  EXPECT_TRUE(ParseTlogProof(head + "index 0\n\n" + note).ok());
  EXPECT_TRUE(ParseTlogProof(head + "index 9007199254740991\n" + hash + "\n" + note).ok());
  std::string long_proof;
  for (int i = 0; i < 64; ++i) long_proof += hash;
  for (const std::string& body :
       {"extra \nindex 0\n\n" + note, "extra AA\nindex 0\n\n" + note,
        "extra AAAA\nextra AAAA\nindex 0\n\n" + note, "extra\nindex 0\n\n" + note,
        "index 0\nextra AAAA\n\n" + note, "index  0\n\n" + note, "index -1\n\n" + note,
        "index +1\n\n" + note, "index\n\n" + note, "index 0 \n\n" + note, "index 00\n\n" + note,
        "index 9007199254740992\n\n" + note, "Index 0\n\n" + note, "\nindex 0\n\n" + note,
        "index 0\n" + long_proof + "\n" + note, "index 0\n " + hash + "\n" + note}) {
    EXPECT_EQ(ReasonOf(ParseTlogProof(head + body).status()), reason::kProofForm) << body;
  }
  EXPECT_EQ(ReasonOf(ParseTlogProof(head + "index 0\nAAAA\n\n" + note).status()),
            reason::kProofShape);
  for (const std::string& body :
       {std::string("index 0"), std::string("index 0\n"), std::string("index 0\n\n"),
        "index 0\n" + hash, "index 0\n\n\n" + note.substr(0, note.size() - 1)}) {
    EXPECT_EQ(ReasonOf(ParseTlogProof(head + body).status()), reason::kNoteForm) << body;
  }
}

}  // namespace
}  // namespace stele
