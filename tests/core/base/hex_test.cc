#include "core/base/hex.h"

#include <gtest/gtest.h>

namespace stele {
namespace {

TEST(Hex, RoundTripOfEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
  const std::string text = HexEncode(bytes);
  EXPECT_EQ(text.substr(0, 8), "00010203");
  EXPECT_EQ(text.substr(508), "feff");
  EXPECT_EQ(HexDecode(text), bytes);
  EXPECT_EQ(HexDecode(""), "");
}

TEST(Hex, RefusesEverythingButLowercasePairs) {
  for (const char* text : {"0", "abc", "AB", "aB", "0g", "g0", " 00", "00 ", "0x00", "\xff\xff"}) {
    EXPECT_FALSE(HexDecode(text).has_value()) << text;
  }
  EXPECT_FALSE(HexDecode(std::string_view("0\0", 2)).has_value());
}

}  // namespace
}  // namespace stele
