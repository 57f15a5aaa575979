#include "core/base/base64.h"

#include <gtest/gtest.h>

namespace stele {
namespace {

TEST(Base64, VectorsOfRfc4648) {
  const std::pair<const char*, const char*> kVectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(Base64Encode(bytes), text);
    EXPECT_EQ(Base64DecodeStrict(text), bytes);
    EXPECT_EQ(Base64DecodeInput(text), bytes);
  }
  EXPECT_EQ(Base64Encode("\xfb\xff\xfe"), "+//+");
}

TEST(Base64, AppendKeepsWhatIsThere) {
  std::string out = "x";
  Base64Append("fo", out);
  EXPECT_EQ(out, "xZm8=");
}

TEST(Base64, RoundTripOfEveryLengthAndByte) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    const std::string text = Base64Encode(bytes);
    EXPECT_EQ(Base64DecodeStrict(text), bytes);
    EXPECT_EQ(Base64DecodeInput(text), bytes);
    EXPECT_EQ(Base64DecodeInput(text.substr(0, text.find('='))), bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
}

TEST(Base64, StrictIsItsOwnReencoding) {
  // All texts of four characters from an alphabet that holds every kind of character.
  const std::string kinds = "AQgw/+-_= \n";
  for (char a : kinds)
    for (char b : kinds)
      for (char c : kinds)
        for (char d : kinds) {
          const std::string text{a, b, c, d};
          std::optional<std::string> bytes = Base64DecodeStrict(text);
          if (bytes) EXPECT_EQ(Base64Encode(*bytes), text);
          if (bytes) EXPECT_EQ(Base64DecodeInput(text), bytes);
        }
}

TEST(Base64, StrictRefuses) {
  for (const char* text : {"Zg", "Zg=", "Zg===", "Zm8", "Zh==", "Zm9=", "Zm9vY", "=",
                           "====", "Z===", "Zg==Zg==", "Zm 9", " Zg==", "Zg==\n", "-_-_", "Zg=a",
                           "Zm9v====", "\xff\xff\xff\xff"}) {
    EXPECT_FALSE(Base64DecodeStrict(text).has_value()) << text;
  }
}

TEST(Base64, InputReadsBothAlphabetsAndMissingPadding) {
  EXPECT_EQ(Base64DecodeInput("+//+"), "\xfb\xff\xfe");
  EXPECT_EQ(Base64DecodeInput("-__-"), "\xfb\xff\xfe");
  EXPECT_EQ(Base64DecodeInput("Zg"), "f");
  EXPECT_EQ(Base64DecodeInput("_w"), "\xff");
  EXPECT_EQ(Base64DecodeInput("_w=="), "\xff");
}

TEST(Base64, InputRefuses) {
  for (const char* text : {"-//-", "+_", "Zg=", "Zg===", "Zh", "Zh==", "Zm9", "Zm9=", "Z", "Zm9vY",
                           "=", "Zm9v=", "Zg ==", "Zg\n", "Z=g="}) {
    EXPECT_FALSE(Base64DecodeInput(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace stele
