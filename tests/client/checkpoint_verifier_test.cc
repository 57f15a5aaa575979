#include "client/checkpoint_verifier.h"

#include <gtest/gtest.h>

#include "core/crypto/sha256.h"

namespace stele::client {
namespace {

constexpr char kOrigin[] = "log.example/x";

struct Signer {
  Signer(const std::string& name, char seed)
      : key(*PrivateKey::FromEd25519Seed(std::string(32, seed))),
        verifier(*NoteVerifier::Make(name, key.public_key())) {}
  std::string Sign(const std::string& origin, uint64_t size, std::string_view root) const {
    // Not SignCheckpoint, which does not sign for an origin that is not the key's.
    const std::string text = FormatCheckpoint({origin, TreeSize(size), Sha256(root), {}});
    return FormatNote({text, {*SignNote(text, verifier, key)}});
  }
  PrivateKey key;
  NoteVerifier verifier;
};

class CheckpointVerifierTest : public ::testing::Test {
 protected:
  const Signer log_{kOrigin, 'l'};
  CheckpointVerifier verifier_{kOrigin, PolicyOfLogKeys({log_.verifier})};

  absl::StatusCode Check(const std::string& note, uint64_t floor = 0) {
    return verifier_.Check(note, TreeSize(floor)).status().code();
  }
};

TEST_F(CheckpointVerifierTest, TakesWhatTheLogSigned) {
  EXPECT_EQ(verifier_.newest(), TreeSize(0));
  absl::StatusOr<Checkpoint> checkpoint = verifier_.Check(log_.Sign(kOrigin, 5, "a"), TreeSize(0));
  ASSERT_TRUE(checkpoint.ok()) << checkpoint.status();
  EXPECT_EQ(checkpoint->root, Sha256("a"));
  EXPECT_EQ(verifier_.newest(), TreeSize(5));
  EXPECT_EQ(Check(log_.Sign(kOrigin, 5, "a")), absl::StatusCode::kOk);
}

TEST_F(CheckpointVerifierTest, RefusesOtherKeysOriginsAndDamage) {
  const Signer stranger(kOrigin, 's');
  const Signer elsewhere("log.example/y", 'l');
  EXPECT_EQ(Check(stranger.Sign(kOrigin, 5, "a")), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Check(elsewhere.Sign("log.example/y", 5, "a")), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Check(log_.Sign("log.example/y", 5, "a")), absl::StatusCode::kDataLoss);
  std::string damaged = log_.Sign(kOrigin, 5, "a");
  damaged[damaged.find("5")] = '6';
  EXPECT_EQ(Check(damaged), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Check(""), absl::StatusCode::kDataLoss);
  EXPECT_EQ(verifier_.newest(), TreeSize(0));
}

TEST_F(CheckpointVerifierTest, TheHeadNeverGoesBack) {
  const std::string old_note = log_.Sign(kOrigin, 5, "a");
  EXPECT_EQ(Check(old_note), absl::StatusCode::kOk);
  EXPECT_EQ(Check(log_.Sign(kOrigin, 9, "b")), absl::StatusCode::kOk);
  EXPECT_EQ(Check(old_note, verifier_.newest().value()), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Check(old_note, 5), absl::StatusCode::kOk) << "asked for before the newer one was seen";
  EXPECT_EQ(verifier_.newest(), TreeSize(9));
}

TEST_F(CheckpointVerifierTest, TwoTreesOfOneSizeAreEquivocation) {
  EXPECT_EQ(Check(log_.Sign(kOrigin, 5, "a")), absl::StatusCode::kOk);
  EXPECT_EQ(Check(log_.Sign(kOrigin, 5, "other")), absl::StatusCode::kDataLoss);
}

// The quorum is demanded of every checkpoint, and a policy may name other logs too.
TEST_F(CheckpointVerifierTest, EnforcesTheWitnessesOfThePolicy) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(std::string(32, 'w'));
  const CosignerVerifier witness = *CosignerVerifier::Make("w", key.public_key());
  const TrustPolicy policy = *ParseTrustPolicy(
      "log " + Signer("log.example/y", 'y').verifier.ToVkey() + "\nlog " + log_.verifier.ToVkey() +
      "\nwitness w " + witness.ToVkey() + "\nquorum w\n");
  CheckpointVerifier verifier(kOrigin, policy);
  EXPECT_EQ(verifier.policy().logs.size(), 2u);
  Note note = *ParseNote(log_.Sign(kOrigin, 5, "a"));
  EXPECT_EQ(verifier.Check(FormatNote(note), TreeSize(0)).status().code(),
            absl::StatusCode::kDataLoss);
  note.signatures.push_back(*Cosign(note.text, CosignatureTime(1), witness, key));
  EXPECT_TRUE(verifier.Check(FormatNote(note), TreeSize(0)).ok());
  EXPECT_EQ(verifier.Check(Signer("log.example/y", 'y').Sign("log.example/y", 5, "a"), TreeSize(0))
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace stele::client
