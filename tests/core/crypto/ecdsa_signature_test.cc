#include "core/crypto/ecdsa_signature.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/hex.h"

namespace stele {
namespace {

std::string Hex(std::string_view text) { return *HexDecode(text); }

std::string Scalar(unsigned char last) {
  std::string scalar(32, '\0');
  scalar[31] = static_cast<char>(last);
  return scalar;
}

TEST(EcdsaSignature, RawBecomesMinimalDer) {
  EXPECT_EQ(NormalizeEcdsaSignature(Scalar(1) + Scalar(0x7f)), Hex("300602010102017f"));
  EXPECT_EQ(NormalizeEcdsaSignature(Scalar(1) + Scalar(0x80)), Hex("30070201010202"
                                                                   "0080"));
  const std::string big(32, '\x80');
  EXPECT_EQ(NormalizeEcdsaSignature(big + big), Hex("3046022100") + big + Hex("022100") + big);
}

TEST(EcdsaSignature, MinimalDerStays) {
  for (const char* hex : {"300602010102017f", "300702010102020080", "300702020080020101"}) {
    EXPECT_EQ(NormalizeEcdsaSignature(Hex(hex)), Hex(hex)) << hex;
  }
}

TEST(EcdsaSignature, OtherFormsAreRefused) {
  for (const char* hex : {"",
                          "30",
                          "3000",
                          "300602010002017f",
                          "3006020101020100",
                          "30070201010202007f",
                          "3006020101020180",
                          "30810602010102017f",
                          "308006020101",
                          "300602010102017f00",
                          "300702010102017f00",
                          "300502010102017f",
                          "300302017f",
                          "300902010102017f020101",
                          "310602010102017f",
                          "300602010103017f",
                          "3006020101027f01",
                          "300402000200",
                          "30060201010202",
                          "3005020101027f"}) {
    EXPECT_FALSE(NormalizeEcdsaSignature(Hex(hex))) << hex;
  }
}

TEST(EcdsaSignature, RangeEndsBelowTheOrder) {
  const std::string n = Hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  std::string below = n;
  below[31] = static_cast<char>(below[31] - 1);
  EXPECT_TRUE(NormalizeEcdsaSignature(below + below));
  EXPECT_FALSE(NormalizeEcdsaSignature(below + n));
  EXPECT_FALSE(NormalizeEcdsaSignature(n + below));
  EXPECT_FALSE(NormalizeEcdsaSignature(Scalar(0) + below));
  EXPECT_FALSE(NormalizeEcdsaSignature(below + Scalar(0)));
  EXPECT_TRUE(NormalizeEcdsaSignature(Hex("3026022100") + below + Hex("020101")));
  EXPECT_FALSE(NormalizeEcdsaSignature(Hex("3026022100") + n + Hex("020101")));
}

}  // namespace
}  // namespace stele
