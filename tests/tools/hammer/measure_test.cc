#include "tools/hammer/measure.h"

#include <gtest/gtest.h>

namespace stele::tools {
namespace {

TEST(Tally, QuantilesAreThoseOfTheSortedLatencies) {
  Tally tally(100);
  for (int us = 100; us >= 1; --us) tally.Done(std::chrono::microseconds(us));
  EXPECT_DOUBLE_EQ(tally.QuantileUs(0.50), 50);
  EXPECT_DOUBLE_EQ(tally.QuantileUs(0.95), 95);
  EXPECT_DOUBLE_EQ(tally.QuantileUs(0.99), 99);
  EXPECT_DOUBLE_EQ(tally.QuantileUs(1), 100);
  EXPECT_DOUBLE_EQ(tally.QuantileUs(0), 1);
}

TEST(Tally, OfNothingIsZero) { EXPECT_DOUBLE_EQ(Tally(0).QuantileUs(0.5), 0); }

TEST(Tally, MergesLatenciesAndFailures) {
  Tally a(1), b(1);
  a.Done(std::chrono::microseconds(1));
  b.Done(std::chrono::microseconds(3));
  a.Failed(absl::UnavailableError("gone"));
  b.Failed(absl::UnavailableError("gone"));
  b.Failed(absl::DataLossError("lied"));
  a.Merge(b);
  EXPECT_EQ(a.done(), 2u);
  EXPECT_EQ(a.failed(), 3u);
  EXPECT_EQ(a.failures().size(), 2u);
  EXPECT_DOUBLE_EQ(a.QuantileUs(1), 3);
}

}  // namespace
}  // namespace stele::tools
