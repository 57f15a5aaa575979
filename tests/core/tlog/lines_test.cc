#include "core/tlog/lines.h"

#include <gtest/gtest.h>

namespace stele {
namespace {

TEST(Lines, AreTakenFromTheFront) {
  std::string_view text = "one\n\nthree\nrest";
  EXPECT_EQ(TakeWholeLine(text), "one");
  EXPECT_EQ(TakeWholeLine(text), "");
  EXPECT_EQ(TakeWholeLine(text), "three");
  EXPECT_EQ(TakeWholeLine(text), std::nullopt);
  EXPECT_EQ(text, "rest");
  text = "";
  EXPECT_EQ(TakeWholeLine(text), std::nullopt);
}

TEST(Decimal, HasOneForm) {
  EXPECT_EQ(ParseDecimal("0"), 0u);
  EXPECT_EQ(ParseDecimal("70"), 70u);
  EXPECT_EQ(ParseDecimal("9007199254740991"), 9007199254740991u);
  for (const char* bad : {"", "00", "07", "+7", "-7", " 7", "7 ", "7\n", "0x7", "7.0", "7e0",
                          "9007199254740992", "18446744073709551616", "99999999999999999999999"}) {
    EXPECT_EQ(ParseDecimal(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace stele
