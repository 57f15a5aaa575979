#include "server/rpc/utf8.h"

#include <gtest/gtest.h>

namespace stele::server {
namespace {

TEST(Utf8Test, GoodTextStays) {
  const std::string text = "plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80, \x01";
  EXPECT_EQ(CleanUtf8(text, 1000), text);
}

TEST(Utf8Test, EachBadByteBecomesAQuestionMark) {
  EXPECT_EQ(CleanUtf8("a\xff"
                      "b",
                      10),
            "a?b");
  EXPECT_EQ(CleanUtf8("\xc3", 10), "?");
  EXPECT_EQ(CleanUtf8("\xc0\x80", 10), "??");            // overlong
  EXPECT_EQ(CleanUtf8("\xe0\x80\x80", 10), "???");       // overlong
  EXPECT_EQ(CleanUtf8("\xed\xa0\x80", 10), "???");       // surrogate
  EXPECT_EQ(CleanUtf8("\xf4\x90\x80\x80", 10), "????");  // beyond U+10FFFF
  EXPECT_EQ(CleanUtf8("\xe2\x82", 10), "??");
}

TEST(Utf8Test, CutsBetweenCharacters) {
  EXPECT_EQ(CleanUtf8("ab\xe2\x82\xac", 5), "ab\xe2\x82\xac");
  EXPECT_EQ(CleanUtf8("ab\xe2\x82\xac", 4), "ab");
  EXPECT_EQ(CleanUtf8("abc", 0), "");
}

}  // namespace
}  // namespace stele::server
