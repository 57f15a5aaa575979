#include "server/config/units.h"

#include <gtest/gtest.h>

namespace stele::server {
namespace {

TEST(UnitsTest, Durations) {
  EXPECT_EQ(ParseDuration("30s")->count(), 30'000);
  EXPECT_EQ(ParseDuration("500ms")->count(), 500);
  EXPECT_EQ(ParseDuration("2m")->count(), 120'000);
  EXPECT_EQ(ParseDuration("1h")->count(), 3'600'000);
  EXPECT_EQ(ParseDuration("0s")->count(), 0);
  for (const char* bad : {"", "30", "s", "1.5s", "-1s", "1d", "1 s", "99999999999999999999s",
                          "9223372036854775807h", "30S"}) {
    EXPECT_FALSE(ParseDuration(bad).ok()) << bad;
  }
}

TEST(UnitsTest, Bytes) {
  EXPECT_EQ(*ParseBytes("4096"), 4096u);
  EXPECT_EQ(*ParseBytes("0"), 0u);
  EXPECT_EQ(*ParseBytes("7B"), 7u);
  EXPECT_EQ(*ParseBytes("2KiB"), 2048u);
  EXPECT_EQ(*ParseBytes("256MiB"), 256u << 20);
  EXPECT_EQ(*ParseBytes("1GiB"), 1u << 30);
  EXPECT_EQ(*ParseBytes("1TiB"), 1ull << 40);
  EXPECT_EQ(*ParseBytes("3kB"), 3000u);
  EXPECT_EQ(*ParseBytes("3GB"), 3'000'000'000u);
  for (const char* bad : {"", "MiB", "1.5MiB", "-1", "1 MiB", "1mib", "1M", "0x10",
                          "18446744073709551616", "9223372036854775807KiB"}) {
    EXPECT_FALSE(ParseBytes(bad).ok()) << bad;
  }
}

TEST(UnitsTest, CountsHaveARange) {
  EXPECT_EQ(*ParseCount("1", 1, 10), 1u);
  EXPECT_EQ(*ParseCount("10", 1, 10), 10u);
  for (const char* bad : {"0", "11", "", "x", "1s", "-1", "1.0"}) {
    EXPECT_FALSE(ParseCount(bad, 1, 10).ok()) << bad;
  }
}

}  // namespace
}  // namespace stele::server
