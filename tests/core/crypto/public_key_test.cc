#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/base/refusal.h"
#include "core/crypto/key.h"
#include "core/crypto/sha256.h"
#include "core/crypto/spki.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::Base64Member;
using testing::Text;
using testing::VectorFile;
using testing::VectorsDir;

TEST(PublicKey, GoldenKeys) {
  const VectorFile file(VectorsDir() / "keys.json");
  size_t cases = 0, accepted = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root())) {
    SCOPED_TRACE(Text(c, "name"));
    const std::string spki = Base64Member(c, "spki");
    const absl::StatusOr<PublicKey> key = PublicKey::FromSpki(spki);
    ++cases;
    ASSERT_EQ(key.ok(), bool(c["accept"]));
    if (!key.ok()) {
      EXPECT_EQ(ReasonOf(key.status()), Text(c, "reason"));
      EXPECT_EQ(key.status().code(), absl::StatusCode::kInvalidArgument);
      continue;
    }
    ++accepted;
    EXPECT_EQ(key->id().ToText(), Text(c, "keyId"));
    EXPECT_EQ(KeyAlgorithmName(key->algorithm()), Text(c, "algorithm"));
    EXPECT_EQ(key->spki(), spki);
  }
  EXPECT_GT(accepted, 5u);
  EXPECT_GT(cases, 80u);
}

TEST(PublicKey, GoldenSignatures) {
  const VectorFile file(VectorsDir() / "signatures.json");
  size_t cases = 0;
  for (simdjson::dom::element c : simdjson::dom::array(file.root())) {
    SCOPED_TRACE(Text(c, "name"));
    const absl::StatusOr<PublicKey> key = PublicKey::FromSpki(Base64Member(c, "spki"));
    ASSERT_TRUE(key.ok()) << key.status();
    EXPECT_EQ(KeyAlgorithmName(key->algorithm()), Text(c, "algorithm"));
    const absl::Status verdict =
        key->Verify(Base64Member(c, "message"), Base64Member(c, "signature"));
    ++cases;
    EXPECT_EQ(verdict.ok(), bool(c["accept"])) << verdict;
    if (!verdict.ok()) EXPECT_EQ(ReasonOf(verdict), Text(c, "reason"));
  }
  EXPECT_GT(cases, 60u);
}

TEST(PublicKey, PemRoundTrip) {
  const VectorFile file(VectorsDir() / "keys.json");
  std::set<KeyAlgorithm> seen;
  for (simdjson::dom::element c : simdjson::dom::array(file.root())) {
    const absl::StatusOr<PublicKey> key = PublicKey::FromSpki(Base64Member(c, "spki"));
    if (!key.ok()) continue;
    seen.insert(key->algorithm());
    const std::string pem = key->ToPem();
    EXPECT_EQ(pem.find("-----BEGIN PUBLIC KEY-----\n"), 0u);
    const absl::StatusOr<PublicKey> again = PublicKey::FromPem(pem);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->spki(), key->spki());
    EXPECT_EQ(again->ed25519_raw().size(), key->algorithm() == KeyAlgorithm::kEd25519 ? 32u : 0u);
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(PublicKey, PemThatIsNone) {
  for (const std::string& pem :
       {std::string(), std::string("not a PEM"), std::string("-----BEGIN PUBLIC KEY-----\n"),
        std::string("-----BEGIN PUBLIC KEY-----\n!!!!\n-----END PUBLIC KEY-----\n"),
        std::string(1 << 20, '-')}) {
    const absl::Status status = PublicKey::FromPem(pem).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(ReasonOf(status), "");
  }
  const absl::Status other =
      PublicKey::FromPem(PrivateKey::Generate(KeyAlgorithm::kEd25519)->ToPem()).status();
  EXPECT_EQ(other.code(), absl::StatusCode::kInvalidArgument);
  const absl::Status bad =
      PublicKey::FromPem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n").status();
  EXPECT_EQ(ReasonOf(bad), reason::kBadKey);
}

TEST(PublicKey, Ed25519Raw) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256("raw").bytes());
  const absl::StatusOr<PublicKey> raw = PublicKey::FromEd25519(key.public_key().ed25519_raw());
  ASSERT_TRUE(raw.ok());
  EXPECT_EQ(raw->id(), key.public_key().id());
  EXPECT_EQ(ReasonOf(PublicKey::FromEd25519("").status()), reason::kBadKey);
  EXPECT_EQ(ReasonOf(PublicKey::FromEd25519(std::string(33, '\x05')).status()), reason::kBadKey);
  EXPECT_EQ(ReasonOf(PublicKey::FromEd25519(key.public_key().spki()).status()), reason::kBadKey);
}

// keys.json pins single points; this pins that half of all y are on the curve.
TEST(PublicKey, HalfOfAllPointsAreOnTheCurve) {
  int allowed = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string raw(Sha256("point " + std::to_string(i)).bytes());
    raw[31] = static_cast<char>(raw[31] & 0x7f);
    allowed += PublicKey::FromEd25519(raw).ok();
  }
  EXPECT_GT(allowed, 400);
  EXPECT_LT(allowed, 600);
}

TEST(PublicKey, EveryKeyMadeHereIsOnTheCurve) {
  for (int i = 0; i < 200; ++i) {
    const absl::StatusOr<PrivateKey> key =
        PrivateKey::FromEd25519Seed(Sha256("seed " + std::to_string(i)).bytes());
    ASSERT_TRUE(key.ok()) << i;
  }
}

TEST(PublicKey, NoBitOfAnSpkiPrefixMayDiffer) {
  for (KeyAlgorithm algorithm : {KeyAlgorithm::kEd25519, KeyAlgorithm::kEcdsaP256}) {
    const std::string spki = PrivateKey::Generate(algorithm)->public_key().spki();
    const size_t prefix = algorithm == KeyAlgorithm::kEd25519 ? spki::kEd25519Prefix.size()
                                                              : spki::kP256Prefix.size();
    for (size_t bit = 0; bit < prefix * 8; ++bit) {
      std::string flipped = spki;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
      EXPECT_EQ(ReasonOf(PublicKey::FromSpki(flipped).status()), reason::kBadKey) << bit;
    }
  }
}

}  // namespace
}  // namespace stele
