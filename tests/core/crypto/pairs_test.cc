// Every pair of key algorithm and signature shape has a verdict and none crashes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/refusal.h"
#include "core/crypto/key.h"
#include "core/crypto/sha256.h"

namespace stele {
namespace {

std::vector<std::string> Shapes() {
  std::vector<std::string> shapes;
  for (size_t size = 0; size <= 160; ++size) {
    for (char fill : {'\0', '\x30', '\xff'}) shapes.emplace_back(size, fill);
    // A SEQUENCE of that very length, so that the reading goes on inside.
    if (size >= 2 && size < 130) {
      for (char tag : {'\x02', '\x00', '\xff'}) {
        std::string der(size, tag);
        der[0] = 0x30;
        der[1] = static_cast<char>(size - 2);
        shapes.push_back(der);
      }
    }
  }
  shapes.emplace_back(1 << 20, '\x30');
  return shapes;
}

TEST(SignaturePairs, EveryShapeOfOneAlgorithmIsRefusedByAnother) {
  const std::string message = "message";
  const PrivateKey ed25519 = *PrivateKey::FromEd25519Seed(Sha256("pair").bytes());
  const PrivateKey p256 = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  for (const PrivateKey* signer : {&ed25519, &p256}) {
    const std::string signature = *signer->Sign(message);
    for (const PrivateKey* verifier : {&ed25519, &p256}) {
      EXPECT_EQ(verifier->public_key().Verify(message, signature).ok(), signer == verifier);
      // Cut and lengthened at every place, each byte changed.
      for (size_t i = 0; i < signature.size(); ++i) {
        std::string changed = signature;
        changed[i] ^= 0x40;
        for (const std::string& bad : {signature.substr(0, i), signature.substr(i + 1), changed,
                                       signature + signature.substr(0, i + 1)}) {
          EXPECT_EQ(ReasonOf(verifier->public_key().Verify(message, bad)), reason::kBadSignature);
        }
      }
    }
  }
}

TEST(SignaturePairs, ShapesOfEveryLength) {
  const PrivateKey ed25519 = *PrivateKey::FromEd25519Seed(Sha256("pair").bytes());
  const PrivateKey p256 = *PrivateKey::Generate(KeyAlgorithm::kEcdsaP256);
  for (const std::string& shape : Shapes()) {
    for (const PrivateKey* key : {&ed25519, &p256}) {
      EXPECT_EQ(ReasonOf(key->public_key().Verify("message", shape)), reason::kBadSignature)
          << shape.size();
    }
  }
}

}  // namespace
}  // namespace stele
