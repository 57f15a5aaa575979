#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "core/base/refusal.h"
#include "core/crypto/key.h"
#include "core/crypto/sha256.h"

namespace stele {
namespace {

constexpr KeyAlgorithm kAll[] = {KeyAlgorithm::kEd25519, KeyAlgorithm::kEcdsaP256};

TEST(PrivateKey, SignsWhatItsPublicKeyVerifies) {
  for (KeyAlgorithm algorithm : kAll) {
    const PrivateKey key = *PrivateKey::Generate(algorithm);
    EXPECT_EQ(key.public_key().algorithm(), algorithm);
    for (const std::string& message : {std::string(), std::string("m"), std::string(100000, 'x')}) {
      const absl::StatusOr<std::string> signature = key.Sign(message);
      ASSERT_TRUE(signature.ok());
      EXPECT_TRUE(key.public_key().Verify(message, *signature).ok());
      EXPECT_EQ(ReasonOf(key.public_key().Verify(message + "!", *signature)),
                reason::kBadSignature);
    }
  }
}

TEST(PrivateKey, OneContextServesManySignatures) {
  for (KeyAlgorithm algorithm : kAll) {
    const PrivateKey key = *PrivateKey::Generate(algorithm);
    const PublicKey copy = key.public_key();
    for (int i = 0; i < 50; ++i) {
      const std::string message = "message " + std::to_string(i);
      std::string signature = *key.Sign(message);
      EXPECT_TRUE(copy.Verify(message, signature).ok());
      signature[signature.size() / 2] ^= 1;
      EXPECT_FALSE(copy.Verify(message, signature).ok());
    }
  }
}

// RFC 8032 §7.1, test 2.
TEST(PrivateKey, Ed25519KnownAnswer) {
  const Digest seed =
      *Digest::FromHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
  const PrivateKey key = *PrivateKey::FromEd25519Seed(seed.bytes());
  EXPECT_EQ(Digest::FromBytes(key.public_key().ed25519_raw())->ToHex(),
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  const std::string signature = *key.Sign("\x72");
  ASSERT_EQ(signature.size(), 64u);
  EXPECT_EQ(Digest::FromBytes(signature.substr(0, 32))->ToHex(),
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da");
  EXPECT_EQ(Digest::FromBytes(signature.substr(32))->ToHex(),
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00");
}

TEST(PrivateKey, PemRoundTrip) {
  for (KeyAlgorithm algorithm : kAll) {
    const PrivateKey key = *PrivateKey::Generate(algorithm);
    const std::string pem = key.ToPem();
    EXPECT_EQ(pem.find("-----BEGIN PRIVATE KEY-----\n"), 0u);
    const absl::StatusOr<PrivateKey> again = PrivateKey::FromPem(pem);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->public_key().id(), key.public_key().id());
    EXPECT_EQ(again->ToPem(), pem);
    EXPECT_TRUE(key.public_key().Verify("m", *again->Sign("m")).ok());
  }
}

// Each is refused without a word of the input in the message.
TEST(PrivateKey, RefusesOtherPems) {
  const std::string pem = PrivateKey::Generate(KeyAlgorithm::kEd25519)->ToPem();
  std::string encrypted = pem;
  encrypted.replace(encrypted.find("PRIVATE"), 7, "ENCRYPTED PRIVATE");
  std::string cut = pem;
  cut.erase(cut.find('\n') + 5, 4);
  for (const std::string& bad :
       {std::string(), std::string("secret"), cut, encrypted,
        PrivateKey::Generate(KeyAlgorithm::kEd25519)->public_key().ToPem(),
        // "secret" in a block of the right name.
        std::string("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"),
        // A key of another algorithm (X25519) and one on another curve (P-384), public test keys.
        std::string("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIAEBAQEBAQEBAQEBAQEBAQEBAQEB"
                    "AQEBAQEBAQEBAQEB\n-----END PRIVATE KEY-----\n"),
        std::string("-----BEGIN PRIVATE KEY-----\nME4CAQAwEAYHKoZIzj0CAQYFK4EEACIENzA1AgEBBDABAQEB"
                    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB\nAQEBAQEBAQEBAQEBAQEBAQ==\n"
                    "-----END PRIVATE KEY-----\n")}) {
    const absl::StatusOr<PrivateKey> key = PrivateKey::FromPem(bad);
    EXPECT_EQ(key.status().code(), absl::StatusCode::kInvalidArgument) << bad;
    EXPECT_EQ(key.status().message().find("secret"), std::string_view::npos);
    EXPECT_EQ(key.status().message().find("AQEB"), std::string_view::npos);
  }
}

TEST(PrivateKey, RefusesSeedsOfAnotherLength) {
  for (size_t size : {0u, 31u, 33u, 64u}) {
    EXPECT_EQ(PrivateKey::FromEd25519Seed(std::string(size, 'a')).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST(PrivateKey, AnyThreadMayUseOneKey) {
  for (KeyAlgorithm algorithm : kAll) {
    const PrivateKey key = *PrivateKey::Generate(algorithm);
    std::vector<int> good(4);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < good.size(); ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 50; ++i) {
          const std::string message = std::to_string(t) + " " + std::to_string(i);
          good[t] += key.public_key().Verify(message, *key.Sign(message)).ok();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(good, std::vector<int>(4, 50));
  }
}

}  // namespace
}  // namespace stele
