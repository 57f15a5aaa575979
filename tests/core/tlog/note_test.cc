#include "core/tlog/note.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Text;

struct Signer {
  PrivateKey key;
  NoteVerifier verifier;
};

Signer NewSigner(const std::string& name, const std::string& seed) {
  PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256(seed).bytes());
  NoteVerifier verifier = *NoteVerifier::Make(name, key.public_key());
  return {std::move(key), std::move(verifier)};
}

// The example of the signed-note text: its vkey verifies its note.
TEST(Note, ExampleOfTheSpecification) {
  const std::string bytes =
      "This is an example message.\n\n\xe2\x80\x94 example.com/foo "
      "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM="
      "\n";
  const std::vector<NoteVerifier> verifiers = {*NoteVerifier::FromVkey(
      "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")};
  const absl::StatusOr<Note> note = ParseNote(bytes);
  ASSERT_TRUE(note.ok()) << note.status();
  EXPECT_EQ(note->text, "This is an example message.\n");
  EXPECT_EQ(FormatNote(*note), bytes);
  EXPECT_TRUE(VerifyNote(*note, verifiers).ok());
  Note other = *note;
  other.text[0] = 't';
  EXPECT_EQ(ReasonOf(VerifyNote(other, verifiers).status()), reason::kCheckpointSignature);
}

TEST(Note, SignFormatParseVerify) {
  const Signer a = NewSigner("a.example", "a"), b = NewSigner("b.example", "b");
  const std::string text = "an empty line\n\ninside the text\n";
  const Note note{text, {*SignNote(text, b.verifier, b.key), *SignNote(text, a.verifier, a.key)}};
  const absl::StatusOr<Note> parsed = ParseNote(FormatNote(note));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->text, text);
  EXPECT_EQ(FormatNote(*parsed), FormatNote(note));
  const std::vector<NoteVerifier> verifiers = {a.verifier, b.verifier};
  const auto signers = VerifyNote(*parsed, verifiers);
  ASSERT_TRUE(signers.ok());
  EXPECT_EQ(*signers, (std::vector<const NoteVerifier*>{&verifiers[0], &verifiers[1]}));
}

TEST(Note, UnknownDuplicateAndBogusSignatures) {
  const Signer known = NewSigner("log.example", "known"), other = NewSigner("x.example", "other");
  const std::string text = "text\n";
  const NoteSignature good = *SignNote(text, known.verifier, known.key);
  const NoteSignature unknown = *SignNote(text, other.verifier, other.key);
  NoteSignature bogus = good;
  bogus.signature[5] = static_cast<char>(bogus.signature[5] ^ 1);
  NoteSignature same_name = unknown;
  same_name.name = good.name;
  NoteSignature same_hash = unknown;
  same_hash.key_hash = good.key_hash;
  const std::vector<NoteVerifier> verifiers = {known.verifier};
  const auto reason_of = [&](std::vector<NoteSignature> signatures) {
    return ReasonOf(VerifyNote(Note{text, std::move(signatures)}, verifiers).status());
  };
  EXPECT_EQ(reason_of({good}), "");
  EXPECT_EQ(reason_of({good, good}), "");
  EXPECT_EQ(reason_of({same_name, same_hash, unknown, good}), "");
  EXPECT_EQ(reason_of({unknown, same_name, same_hash}), reason::kCheckpointUnsigned);
  EXPECT_EQ(reason_of({bogus}), reason::kCheckpointSignature);
  EXPECT_EQ(reason_of({good, bogus}), reason::kCheckpointSignature);
  EXPECT_EQ(reason_of({bogus, good}), reason::kCheckpointSignature);
  NoteSignature cut = good;
  cut.signature.resize(63);
  EXPECT_EQ(reason_of({cut}), reason::kCheckpointSignature);
  EXPECT_EQ(reason_of({}), reason::kCheckpointUnsigned);
}

TEST(Note, RefusedForms) {
  const Signer signer = NewSigner("log.example", "key");
  const std::string text = "text\n";
  const std::string note = FormatNote({text, {*SignNote(text, signer.verifier, signer.key)}});
  const std::string line = note.substr(note.find("\n\n") + 2);
  ASSERT_TRUE(ParseNote(note).ok());
  std::string many = text + "\n";
  for (int i = 0; i < 100; ++i) many += line;
  EXPECT_TRUE(ParseNote(many).ok());
  std::string space = line;
  space.replace(space.find("log."), 3, "l\xc2\xa0g");  // a no-break space in the name
  for (const std::string& bad : {std::string(),
                                 std::string("\n"),
                                 std::string("\n\n"),
                                 text,
                                 text + line,
                                 text + "\n",
                                 note.substr(0, note.size() - 1),
                                 note + "\n",
                                 note + "x\n",
                                 many + line,
                                 text + "\n" + space,
                                 text + "\n" + "\xe2\x80\x94 log.example\n",
                                 text + "\n" + "\xe2\x80\x94  AAAAAAA=\n",
                                 text + "\n" + "\xe2\x80\x94 a+b AAAAAAA=\n",
                                 text + "\n" + "\xe2\x80\x94 a AAAA\n",
                                 text + "\n" + "\xe2\x80\x94 a AAAAAA==\n",
                                 text + "\n" + "\xe2\x80\x94 a AAAAAAB=\n",
                                 text + "\n" + "\xe2\x80\x94 a AAAAAAA\n",
                                 text + "\n" + "\xe2\x80\x94 a AAAAAAA= \n",
                                 text + "\n" + "- a AAAAAAA=\n",
                                 "\xff" + note,
                                 "\xed\xa0\x80" + note,
                                 "\t" + note,
                                 "\r" + note,
                                 std::string("\0", 1) + note,
                                 std::string(1024 * 1024, 'x') + note}) {
    EXPECT_EQ(ReasonOf(ParseNote(bad).status()), reason::kNoteForm) << bad.substr(0, 100);
  }
  EXPECT_TRUE(ParseNote(text + "\n" + "\xe2\x80\x94 a AAAAAAA=\n").ok());
}

TEST(Note, SignsOnlyWhatCanBeANote) {
  const Signer signer = NewSigner("log.example", "key"), other = NewSigner("log.example", "2");
  EXPECT_EQ(ReasonOf(SignNote("no newline", signer.verifier, signer.key).status()),
            reason::kNoteForm);
  EXPECT_EQ(ReasonOf(SignNote("", signer.verifier, signer.key).status()), reason::kNoteForm);
  EXPECT_EQ(ReasonOf(SignNote("a\tb\n", signer.verifier, signer.key).status()), reason::kNoteForm);
  EXPECT_EQ(SignNote("text\n", signer.verifier, other.key).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(NoteVerifier, GoldenVkeys) {
  const testing::VectorFile file(testing::VectorsDir() / "proofs.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root()["vkeyCases"])) {
    SCOPED_TRACE(Text(c, "name"));
    const absl::StatusOr<NoteVerifier> verifier = NoteVerifier::FromVkey(Text(c, "vkey"));
    ++cases;
    ASSERT_EQ(verifier.ok(), bool(c["accept"])) << verifier.status();
    if (!verifier.ok()) {
      EXPECT_EQ(ReasonOf(verifier.status()), Text(c, "reason"));
      continue;
    }
    EXPECT_EQ(verifier->name, Text(c, "keyName"));
    EXPECT_EQ(verifier->key.ed25519_raw(), testing::Base64Member(c, "key"));
    EXPECT_EQ(verifier->ToVkey(), Text(c, "vkey"));
  }
  EXPECT_GE(cases, 13u);
}

TEST(NoteVerifier, OtherFormsOfAVkeyAreRefused) {
  const std::string vkey = NewSigner("log.example", "key").verifier.ToVkey();
  ASSERT_TRUE(NoteVerifier::FromVkey(vkey).ok());
  for (size_t cut = 0; cut < vkey.size(); ++cut) {
    EXPECT_EQ(ReasonOf(NoteVerifier::FromVkey(vkey.substr(0, cut)).status()), reason::kBadVkey);
    std::string changed = vkey;
    changed[cut] = changed[cut] == 'A' ? 'B' : 'A';
    EXPECT_EQ(ReasonOf(NoteVerifier::FromVkey(changed).status()), reason::kBadVkey) << changed;
  }
  for (const std::string& bad : {vkey + "=", vkey + " ", " " + vkey, "+" + vkey, "a+" + vkey}) {
    EXPECT_EQ(ReasonOf(NoteVerifier::FromVkey(bad).status()), reason::kBadVkey) << bad;
  }
}

TEST(NoteVerifier, NamesAndKeysThatCannotBe) {
  const PrivateKey ed25519 = *PrivateKey::Generate(KeyAlgorithm::kEd25519);
  for (const char* name :
       {"", "a b", "a+b", "a\tb", "a\nb", "a\x7f\xff", "a\xe2\x80\x83", "\x01"}) {
    EXPECT_EQ(ReasonOf(NoteVerifier::Make(name, ed25519.public_key()).status()), reason::kBadVkey)
        << name;
  }
  EXPECT_TRUE(NoteVerifier::Make("\xc3\xa9.example", ed25519.public_key()).ok());
  const PrivateKey p256 = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  EXPECT_EQ(ReasonOf(NoteVerifier::Make("a", p256.public_key()).status()), reason::kBadKey);
}

}  // namespace
}  // namespace stele
