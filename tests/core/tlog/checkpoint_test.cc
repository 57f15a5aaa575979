#include "core/tlog/checkpoint.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/base/base64.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Text;

std::vector<NoteVerifier> Verifiers(simdjson::dom::element vkeys) {
  std::vector<NoteVerifier> verifiers;
  for (simdjson::dom::element vkey : simdjson::dom::array(vkeys)) {
    verifiers.push_back(*NoteVerifier::FromVkey(std::string_view(vkey)));
  }
  return verifiers;
}

void ExpectOpened(simdjson::dom::element c, const SignedCheckpoint& opened) {
  EXPECT_EQ(opened.checkpoint.origin, Text(c, "origin"));
  EXPECT_EQ(opened.checkpoint.size, TreeSize(uint64_t(c["size"])));
  EXPECT_EQ(Base64Encode(opened.checkpoint.root.bytes()), Text(c, "root"));
  std::set<std::string> signers;
  for (simdjson::dom::element vkey : simdjson::dom::array(c["signers"])) {
    signers.emplace(std::string_view(vkey));
  }
  EXPECT_EQ(std::set<std::string>(opened.signers.begin(), opened.signers.end()), signers);
  EXPECT_EQ(opened.signers.size(), signers.size());
  const std::string note = Text(c, "note");
  EXPECT_EQ(FormatCheckpoint(opened.checkpoint), note.substr(0, note.rfind("\n\n") + 1));
}

TEST(Checkpoint, GoldenNotes) {
  const testing::VectorFile file(testing::VectorsDir() / "proofs.json");
  size_t cases = 0, accepted = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["checkpoints"])) {
    SCOPED_TRACE(Text(c, "name"));
    const auto opened = OpenCheckpoint(Text(c, "note"), Verifiers(c["vkeys"]));
    ++cases;
    ASSERT_EQ(opened.ok(), bool(c["accept"])) << opened.status();
    if (!opened.ok()) {
      EXPECT_EQ(ReasonOf(opened.status()), Text(c, "reason"));
      continue;
    }
    ++accepted;
    ExpectOpened(c, *opened);
  }
  EXPECT_GE(accepted, 5u);
  EXPECT_GE(cases, 30u);
}

Checkpoint Sample() { return {"log.example/x", TreeSize(70), Sha256("root"), {}}; }

TEST(Checkpoint, SignAndOpen) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256("log key").bytes());
  const NoteVerifier verifier = *NoteVerifier::Make("log.example/x", key.public_key());
  for (uint64_t size : {uint64_t{0}, uint64_t{1}, uint64_t{limits::kMaxInteger}}) {
    for (const std::vector<std::string>& extensions :
         {std::vector<std::string>{}, std::vector<std::string>{"one", "and two"}}) {
      Checkpoint checkpoint = Sample();
      checkpoint.size = TreeSize(size);
      checkpoint.extensions = extensions;
      const absl::StatusOr<std::string> note = SignCheckpoint(checkpoint, verifier, key);
      ASSERT_TRUE(note.ok()) << note.status();
      const auto opened = OpenCheckpoint(*note, {verifier});
      ASSERT_TRUE(opened.ok()) << opened.status();
      EXPECT_EQ(opened->checkpoint, checkpoint);
      EXPECT_EQ(opened->signers, std::vector<std::string>{verifier.ToVkey()});
    }
  }
}

TEST(Checkpoint, NothingIsSignedThatWouldNotBeRead) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256("log key").bytes());
  const NoteVerifier verifier = *NoteVerifier::Make("log.example/x", key.public_key());
  const auto reason_of = [&](const Checkpoint& checkpoint) {
    return ReasonOf(SignCheckpoint(checkpoint, verifier, key).status());
  };
  Checkpoint checkpoint = Sample();
  EXPECT_EQ(reason_of(checkpoint), "");
  checkpoint.origin = "other.example";
  EXPECT_EQ(reason_of(checkpoint), reason::kCheckpointOrigin);
  checkpoint = Sample();
  checkpoint.size = TreeSize(uint64_t{limits::kMaxInteger} + 1);
  EXPECT_EQ(reason_of(checkpoint), reason::kCheckpointForm);
  for (const char* line : {"", "a\nb", "a\n", "\n"}) {
    checkpoint = Sample();
    checkpoint.extensions = {line};
    EXPECT_EQ(reason_of(checkpoint), reason::kCheckpointForm) << line;
  }
  checkpoint.extensions = {"a\tb"};
  EXPECT_EQ(reason_of(checkpoint), reason::kNoteForm);
  const NoteVerifier odd = *NoteVerifier::Make("\xc3\xa9", key.public_key());
  checkpoint = Sample();
  checkpoint.origin = odd.name;
  EXPECT_EQ(ReasonOf(SignCheckpoint(checkpoint, odd, key).status()), reason::kCheckpointOrigin);
}

TEST(Checkpoint, TextRoundTripAndCuts) {
  const std::string text = FormatCheckpoint(Sample());
  EXPECT_EQ(*ParseCheckpointText(text), Sample());
  for (size_t cut = 0; cut < text.size(); ++cut) {
    EXPECT_EQ(ReasonOf(ParseCheckpointText(text.substr(0, cut)).status()), reason::kCheckpointForm);
  }
  for (const char* size : {"", " 1", "1 ", "00", "01", "-0", "+1", "0x1", "1.0", "1e3", "a",
                           "9007199254740992", "18446744073709551616"}) {
    EXPECT_FALSE(
        ParseCheckpointText("o\n" + std::string(size) + text.substr(text.find("70") + 2)).ok())
        << size;
  }
}

TEST(Checkpoint, Origins) {
  for (const std::string& good :
       {std::string("a"), std::string("log.example/x"), std::string("!~"), std::string(200, 'o')}) {
    EXPECT_TRUE(ValidOrigin(good)) << good;
  }
  for (const std::string& bad :
       {std::string(), std::string("a b"), std::string("a+b"), std::string("a\n"),
        std::string("a\x7f"), std::string("\xc3\xa9"), std::string(201, 'o')}) {
    EXPECT_FALSE(ValidOrigin(bad)) << bad;
  }
}

}  // namespace
}  // namespace stele
