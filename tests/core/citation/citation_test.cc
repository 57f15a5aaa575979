#include "core/citation/citation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/refusal.h"
#include "core/citation/verify.h"
#include "core/crypto/sha256.h"
#include "core/tlog/cosignature.h"
#include "tests/support/shared.h"

namespace stele {
namespace {

std::string ReadBundle(const std::string& name) {
  return testing::ReadFile(testing::VectorsDir() / "citations" / (name + ".stele-citation.json"));
}

class CitationTest : public ::testing::Test {
 protected:
  static absl::Status Refusal(const std::string& text, const TrustPolicy& policy) {
    const auto citation = ParseCitation(text);
    return citation.ok() ? VerifyCitation(*citation, policy).status() : citation.status();
  }
  const TrustPolicy policy_ =
      *ParseTrustPolicy(testing::ReadFile(testing::VectorsDir() / "log" / "policy"));
  const std::string plain_ = ReadBundle("plain");
};

// With a line of a witness that the policy knows, and one of a stranger.
class CosignedTest : public CitationTest {
 protected:
  CosignedTest() {
    Citation citation = *ParseCitation(plain_);
    Note note = *ParseNote(citation.checkpoint);
    note.signatures.push_back(
        *Cosign(note.text, CosignatureTime(1772323200), witness_, witness_key_));
    note.signatures.push_back({"stranger", 7, std::string(72, 's')});
    citation.checkpoint = FormatNote(note);
    text_ = FormatCitation(citation);
    TrustPolicy policy = *ParseTrustPolicy("log " + policy_.logs[0].key.ToVkey() + "\nwitness w " +
                                           witness_.ToVkey() + "\nquorum w\n");
    cosigned_policy_ = policy;
  }
  const PrivateKey witness_key_ = *PrivateKey::FromEd25519Seed(Sha256("w").bytes());
  const CosignerVerifier witness_ =
      *CosignerVerifier::Make("witness.example/w", witness_key_.public_key());
  std::string text_;
  TrustPolicy cosigned_policy_;
};

TEST_F(CosignedTest, VerifiesUnderItsQuorum) {
  EXPECT_TRUE(Refusal(text_, cosigned_policy_).ok());
  EXPECT_EQ(ReasonOf(Refusal(plain_, cosigned_policy_)), reason::kCheckpointQuorum);
}

TEST_F(CosignedTest, EveryChangedByteIsRefusedButInTheStrangersLine) {
  // As it stands in the JSON, where a newline is \n and the dash three bytes.
  const std::string dash = "\xe2\x80\x94";
  const size_t begin = text_.find(dash + " stranger");
  const size_t end = text_.find("\\n", begin);
  ASSERT_NE(end, std::string::npos);
  // The lowest bit of each byte, and the one that is case.
  size_t survivors = 0;
  for (size_t at = 0; at < text_.size(); ++at) {
    for (char flip : {'\x01', '\x20'}) {
      std::string changed = text_;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      if (!Refusal(changed, cosigned_policy_).ok()) continue;
      ++survivors;
      EXPECT_TRUE(at >= begin && at < end) << at << ": " << text_.substr(at, 40);
    }
  }
  EXPECT_GT(survivors, 0u) << "lines of unknown keys are ignored";
}

TEST_F(CitationTest, EveryCutIsRefused) {
  for (size_t length = 0; length < plain_.size(); length += 7) {
    EXPECT_FALSE(Refusal(plain_.substr(0, length), policy_).ok()) << length;
  }
  EXPECT_EQ(ReasonOf(Refusal(plain_ + " ", policy_)), reason::kNotCanonical);
}

TEST_F(CitationTest, EveryEntryLeftOutOfOnesWithoutRedundancyIsRefused) {
  const Citation whole = *ParseCitation(plain_);
  for (size_t at = 0; at < whole.entries.size(); ++at) {
    Citation part = whole;
    part.entries.erase(part.entries.begin() + static_cast<ptrdiff_t>(at));
    EXPECT_FALSE(VerifyCitation(part, policy_).ok()) << at;
  }
}

TEST_F(CitationTest, DetachedWhereItHasNoPlace) {
  Citation inline_entry = *ParseCitation(plain_);
  inline_entry.entries[1].detached = "{}";
  const absl::Status no_place = VerifyCitation(inline_entry, policy_).status();
  EXPECT_EQ(ReasonOf(no_place), reason::kUnknownMember);
  EXPECT_EQ(PointerOf(no_place), "/entries/1/detached");

  Citation withheld = *ParseCitation(ReadBundle("with-disputed-and-withheld-entries"));
  ASSERT_EQ(withheld.entries[12].index, EntryIndex(56));
  ASSERT_FALSE(withheld.entries[12].detached);
  withheld.entries[12].detached = "other bytes";
  const absl::Status status = VerifyCitation(withheld, policy_).status();
  EXPECT_EQ(ReasonOf(status), reason::kWithheld);
  EXPECT_EQ(PointerOf(status), "/entries/12/detached");
}

TEST_F(CitationTest, AWithheldEntryNeedsItsWithholding) {
  Citation citation = *ParseCitation(ReadBundle("with-disputed-and-withheld-entries"));
  const auto withholding =
      std::find_if(citation.entries.begin(), citation.entries.end(),
                   [](const CitationEntry& entry) { return entry.index == EntryIndex(144); });
  citation.entries.erase(withholding);
  EXPECT_EQ(ReasonOf(VerifyCitation(citation, policy_).status()), reason::kMissingContent);
}

TEST_F(CitationTest, FormsThatAreNone) {
  const std::string entry = R"({"index":0,"leaf":"","proof":[]})";
  const auto bundle = [](const std::string& entries, const std::string& rest = "") {
    return R"({"checkpoint":"","entries":)" + entries +
           R"(,"identity":"","manifest":"","permalink":"","record":"sha256:)" +
           std::string(64, '0') + R"(","stele":"citation/v1")" + rest + "}";
  };
  ASSERT_TRUE(ParseCitation(bundle("[" + entry + "]")).ok());
  struct Case {
    std::string text, reason, pointer;
  };
  const std::vector<Case> cases = {
      {"", "SYNTAX", ""},
      {"[]", "WRONG_TYPE", ""},
      {"{}", "MISSING_MEMBER", ""},
      {bundle("{}"), "WRONG_TYPE", "/entries"},
      {bundle("[]"), "WRONG_VALUE", "/entries"},
      {bundle("[" + entry + "]", R"(,"z":1)"), "UNKNOWN_MEMBER", "/z"},
      {bundle(R"([{"index":-1,"leaf":"","proof":[]}])"), "WRONG_VALUE", "/entries/0/index"},
      {bundle(R"([{"index":0.5,"leaf":"","proof":[]}])"), "WRONG_TYPE", "/entries/0/index"},
      {bundle(R"([{"index":0,"leaf":"A","proof":[]}])"), "BAD_BASE64", "/entries/0/leaf"},
      {bundle(R"([{"index":0,"leaf":"","proof":["AAAA"]}])"), "PROOF_SHAPE", "/entries/0/proof"},
      {bundle(R"([{"detached":null,"index":0,"leaf":"","proof":[]}])"), "WRONG_TYPE",
       "/entries/0/detached"},
      {bundle(R"([{"extra":1,"index":0,"leaf":"","proof":[]}])"), "UNKNOWN_MEMBER",
       "/entries/0/extra"},
      {bundle("[" + entry + "," + entry + "]"), "ENTRY_ORDER", "/entries/1/index"}};
  for (const Case& c : cases) {
    const absl::Status status = ParseCitation(c.text).status();
    EXPECT_EQ(ReasonOf(status), c.reason) << c.text;
    if (!c.pointer.empty()) {
      EXPECT_EQ(PointerOf(status), c.pointer) << c.text;
    }
  }
}

}  // namespace
}  // namespace stele
