#include "core/crypto/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace stele {
namespace {

const std::string kHex(64, 'a');

TEST(Digest, TextFormsAreInverse) {
  std::string bytes(32, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37 + 129);
  const std::optional<Digest> digest = Digest::FromBytes(bytes);
  ASSERT_TRUE(digest);
  EXPECT_EQ(digest->bytes(), bytes);
  EXPECT_EQ(digest->ToText(), "sha256:" + digest->ToHex());
  EXPECT_EQ(Digest::FromText(digest->ToText()), digest);
  EXPECT_EQ(Digest::FromHex(digest->ToHex()), digest);
}

TEST(Digest, RefusesEveryOtherForm) {
  EXPECT_TRUE(Digest::FromText("sha256:" + kHex));
  for (const std::string& text :
       {std::string(), kHex, std::string("sha256:"), "SHA256:" + kHex,
        "sha256:" + std::string(64, 'A'), "sha256:" + kHex + "a", "sha256:" + kHex.substr(1),
        "sha512:" + kHex, " sha256:" + kHex, "sha256:" + kHex + "\n",
        "sha256:" + kHex.substr(1) + "g", "sha256:" + kHex + kHex}) {
    EXPECT_FALSE(Digest::FromText(text)) << text;
  }
  EXPECT_FALSE(Digest::FromHex("sha256:" + kHex));
  EXPECT_FALSE(Digest::FromHex(kHex + "aa"));
  EXPECT_FALSE(Digest::FromBytes(std::string(31, 'x')));
  EXPECT_FALSE(Digest::FromBytes(std::string(33, 'x')));
  EXPECT_FALSE(Digest::FromBytes(""));
}

TEST(Digest, OrdersAsBytes) {
  const Digest low = *Digest::FromBytes(std::string(32, '\x01'));
  const Digest high = *Digest::FromBytes(std::string(32, '\xff'));
  EXPECT_LT(Digest(), low);
  EXPECT_LT(low, high);  // bytes are unsigned
  EXPECT_EQ(low.ToHex() < high.ToHex(), low < high);
}

}  // namespace
}  // namespace stele
