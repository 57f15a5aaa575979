#include "core/base/time_text.h"

#include <gtest/gtest.h>

namespace stele {
namespace {

TEST(TimeText, KnownInstants) {
  const std::pair<int64_t, const char*> kInstants[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {951827696789, "2000-02-29T12:34:56.789Z"},
      {4102444800000, "2100-01-01T00:00:00.000Z"},
      {-62135596800000, "0001-01-01T00:00:00.000Z"},
      {253402300799999, "9999-12-31T23:59:59.999Z"},
  };
  for (const auto& [ms, text] : kInstants) {
    EXPECT_EQ(FormatTime(TimeMs(ms)), text);
    ASSERT_TRUE(ParseTime(text).has_value()) << text;
    EXPECT_EQ(ParseTime(text)->value(), ms);
  }
}

TEST(TimeText, RoundTripOverTheWholeRange) {
  // A step of 9.6 days and some: every year, month and hour comes by.
  for (int64_t ms = -62135596800000; ms <= 253402300799999; ms += 829'440'123) {
    const std::string text = FormatTime(TimeMs(ms));
    ASSERT_EQ(text.size(), 24u);
    ASSERT_EQ(ParseTime(text), TimeMs(ms)) << text;
  }
}

TEST(TimeText, Refuses) {
  for (const char* text : {"",
                           "2000-01-01",
                           "2000-01-01T00:00:00Z",
                           "2000-01-01T00:00:00.00Z",
                           "2000-01-01T00:00:00.0000Z",
                           "2000-01-01T00:00:00.000",
                           "2000-01-01T00:00:00.000z",
                           "2000-01-01t00:00:00.000Z",
                           "2000-01-01 00:00:00.000Z",
                           "2000-01-01T00:00:00,000Z",
                           "2000-01-01T00:00:00.000+00:00",
                           "0000-01-01T00:00:00.000Z",
                           "2000-00-01T00:00:00.000Z",
                           "2000-13-01T00:00:00.000Z",
                           "2000-01-00T00:00:00.000Z",
                           "2000-01-32T00:00:00.000Z",
                           "2001-02-29T00:00:00.000Z",
                           "1900-02-29T00:00:00.000Z",
                           "2000-01-01T24:00:00.000Z",
                           "2000-01-01T00:60:00.000Z",
                           "2016-12-31T23:59:60.000Z",
                           " 000-01-01T00:00:00.000Z",
                           "-001-01-01T00:00:00.000Z",
                           "2000-01-01T00:00:00.0 0Z"}) {
    EXPECT_FALSE(ParseTime(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace stele
