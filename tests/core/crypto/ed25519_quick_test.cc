// The shortcut never accepts what OpenSSL, whose verdict is the frozen one, refuses.
#include "core/crypto/ed25519_quick.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <string>

#include "core/crypto/key.h"
#include "core/crypto/sha256.h"
#include "tests/support/vector_file.h"

namespace stele {
namespace {

using testing::HexMember;
using testing::Text;
using testing::VectorFile;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

bool OpensslAccepts(std::string_view raw, std::string_view message, std::string_view signature) {
  EVP_PKEY* key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, Bytes(raw), raw.size());
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  const bool accepted = key != nullptr &&
                        EVP_DigestVerifyInit(context, nullptr, nullptr, nullptr, key) == 1 &&
                        EVP_DigestVerify(context, Bytes(signature), signature.size(),
                                         Bytes(message), message.size()) == 1;
  EVP_MD_CTX_free(context);
  EVP_PKEY_free(key);
  return accepted;
}

TEST(Ed25519Quick, AcceptsWhatIsSigned) {
  for (int i = 0; i < 200; ++i) {
    const PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256(std::to_string(i)).bytes());
    const std::string message(static_cast<size_t>(i) * 7, 'm');
    EXPECT_TRUE(AcceptedQuickly(key.public_key().ed25519_raw(), message, *key.Sign(message)));
  }
}

TEST(Ed25519Quick, EveryBitOfEveryPartCounts) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256("bits").bytes());
  const std::string raw(key.public_key().ed25519_raw()), message = "message";
  const std::string signature = *key.Sign(message);
  for (const std::string& part : {raw, message, signature}) {
    for (size_t bit = 0; bit < part.size() * 8; ++bit) {
      std::string parts[] = {raw, message, signature};
      std::string& changed = part == raw ? parts[0] : part == message ? parts[1] : parts[2];
      changed[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      EXPECT_FALSE(AcceptedQuickly(parts[0], parts[1], parts[2])) << bit;
    }
  }
}

TEST(Ed25519Quick, OtherLengthsAreNotKnown) {
  const PrivateKey key = *PrivateKey::FromEd25519Seed(Sha256("bits").bytes());
  const std::string raw(key.public_key().ed25519_raw()), signature = *key.Sign("m");
  for (size_t size = 0; size < 64; ++size) {
    EXPECT_FALSE(AcceptedQuickly(raw, "m", signature.substr(0, size)));
    if (size != 32) EXPECT_FALSE(AcceptedQuickly((raw + raw).substr(0, size), "m", signature));
  }
  EXPECT_FALSE(AcceptedQuickly(raw, "m", signature + "x"));
}

// Wycheproof holds the cases on which verifiers are known to differ.
TEST(Ed25519Quick, AcceptsNothingThatOpensslRefuses) {
  const auto shared = testing::SharedDir();
  if (!shared) GTEST_SKIP() << testing::kNoShared;
  const VectorFile file(*shared / "vectors/wycheproof/ed25519_test.json");
  int accepted = 0;
  for (simdjson::dom::element group : simdjson::dom::array(file.root()["testGroups"])) {
    const std::string der = HexMember(group, "publicKeyDer");
    ASSERT_EQ(der.size(), 44u);
    const std::string raw = der.substr(12);
    for (simdjson::dom::element test : simdjson::dom::array(group["tests"])) {
      const std::string message = HexMember(test, "msg"), signature = HexMember(test, "sig");
      if (!AcceptedQuickly(raw, message, signature)) continue;
      ++accepted;
      EXPECT_TRUE(OpensslAccepts(raw, message, signature)) << Text(test, "comment");
    }
  }
  EXPECT_GT(accepted, 50);
}

}  // namespace
}  // namespace stele
