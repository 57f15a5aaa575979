#include "core/tlog/cosignature.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/base64.h"
#include "core/base/refusal.h"
#include "tests/core/tlog/signers.h"

namespace stele {
namespace {

using testing::LogSigner;
using testing::WitnessSigner;

constexpr char kText[] = "log.example/x\n70\nPXAhZ+9SfomlSMwH80e2uT5xZopNAxtMgbEV8y4pTYw=\n";

TEST(Cosignature, IsTimeAndASignatureOverHeaderTimeAndText) {
  const WitnessSigner witness("witness.example/1");
  const NoteSignature line =
      *Cosign(kText, CosignatureTime(1679315147), witness.verifier, witness.key);
  EXPECT_TRUE(IsOf(line, witness.verifier));
  ASSERT_EQ(line.signature.size(), 72u);
  EXPECT_EQ(line.signature.substr(0, 8), std::string("\0\0\0\0\x64\x18\x50\xcb", 8));
  EXPECT_TRUE(witness.key.public_key()
                  .Verify(std::string("cosignature/v1\ntime 1679315147\n") + kText,
                          line.signature.substr(8))
                  .ok());
  EXPECT_EQ(*VerifyCosignature(kText, line, witness.verifier), CosignatureTime(1679315147));
}

TEST(Cosignature, EveryTimeTheFormatAllows) {
  const WitnessSigner witness("w");
  for (uint64_t time : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 62,
                        uint64_t{std::numeric_limits<int64_t>::max()}}) {
    const NoteSignature line = *Cosign(kText, CosignatureTime(time), witness.verifier, witness.key);
    EXPECT_EQ(VerifyCosignature(kText, line, witness.verifier)->value(), time);
  }
  EXPECT_EQ(Cosign(kText, CosignatureTime(uint64_t{1} << 63), witness.verifier, witness.key)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  // A witness may sign what the format does not allow; it does not count.
  const std::string message = std::string("cosignature/v1\ntime 9223372036854775808\n") + kText;
  const NoteSignature late{"w", witness.verifier.key_hash,
                           std::string("\x80\0\0\0\0\0\0\0", 8) + *witness.key.Sign(message)};
  EXPECT_EQ(ReasonOf(VerifyCosignature(kText, late, witness.verifier).status()),
            reason::kCheckpointSignature);
}

TEST(Cosignature, EveryChangedBitIsRefused) {
  const WitnessSigner witness("w");
  const NoteSignature line = *Cosign(kText, CosignatureTime(5), witness.verifier, witness.key);
  for (size_t bit = 0; bit < line.signature.size() * 8; ++bit) {
    NoteSignature changed = line;
    changed.signature[bit / 8] = static_cast<char>(changed.signature[bit / 8] ^ 1 << bit % 8);
    EXPECT_EQ(ReasonOf(VerifyCosignature(kText, changed, witness.verifier).status()),
              reason::kCheckpointSignature)
        << bit;
  }
  for (size_t length : {0, 8, 64, 71, 73}) {
    NoteSignature cut = line;
    cut.signature.resize(length);
    EXPECT_FALSE(VerifyCosignature(kText, cut, witness.verifier).ok()) << length;
  }
  EXPECT_FALSE(VerifyCosignature(std::string(kText) + "x\n", line, witness.verifier).ok());
  EXPECT_FALSE(VerifyCosignature(kText, line, WitnessSigner("v").verifier).ok());
}

TEST(Cosignature, ALogsSignatureIsNone) {
  const WitnessSigner witness("w");
  const NoteSignature plain{"w", witness.verifier.key_hash, *witness.key.Sign(kText)};
  EXPECT_FALSE(VerifyCosignature(kText, plain, witness.verifier).ok());
  EXPECT_FALSE(Cosign(kText, CosignatureTime(1), witness.verifier, LogSigner("w").key).ok());
}

TEST(CosignerVerifier, VkeysOfType4Only) {
  const WitnessSigner witness("witness.example/1");
  const std::string vkey = witness.verifier.ToVkey();
  const absl::StatusOr<CosignerVerifier> parsed = CosignerVerifier::FromVkey(vkey);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->ToVkey(), vkey);
  EXPECT_EQ(parsed->key_hash, witness.verifier.key_hash);
  // The golden vectors' cosigner: a log's key must not pass for one, nor the reverse.
  constexpr char kCosigner[] =
      "log.example/vectors+885be4de+BEkBRa8qGQg1VtOnQhD+7HwqPFrRSG7FzECIYywG+SX8";
  EXPECT_TRUE(CosignerVerifier::FromVkey(kCosigner).ok());
  for (const std::string& bad : {LogSigner("w").verifier.ToVkey(), testing::MlDsaVkey("w"),
                                 vkey + "=", vkey.substr(1), std::string()}) {
    EXPECT_EQ(ReasonOf(CosignerVerifier::FromVkey(bad).status()), reason::kBadVkey) << bad;
  }
  EXPECT_FALSE(CosignerVerifier::Make("a b", witness.key.public_key()).ok());
  EXPECT_FALSE(
      CosignerVerifier::Make("a", PrivateKey::Generate(KeyAlgorithm::kEcdsaP256)->public_key())
          .ok());
}

}  // namespace
}  // namespace stele
