#include "store/log/budget.h"

#include <gtest/gtest.h>

#include <thread>

namespace stele::store {
namespace {

using Taken = Budget::Taken;

TEST(Budget, BoundsStatementsAndBytes) {
  Budget budget(2, 100);
  EXPECT_EQ(budget.Take(60), Taken::kYes);
  EXPECT_EQ(budget.Take(41), Taken::kFull);
  EXPECT_EQ(budget.Take(40), Taken::kYes);
  EXPECT_EQ(budget.Take(0), Taken::kFull);
  budget.Release(1, 60);
  EXPECT_EQ(budget.held().statements, 1u);
  EXPECT_EQ(budget.held().bytes, 40u);
  EXPECT_EQ(budget.Take(0), Taken::kYes);
}

TEST(Budget, TheFirstAlwaysFits) {
  Budget budget(1, 10);
  EXPECT_EQ(budget.Take(1000), Taken::kYes);
  EXPECT_EQ(budget.Take(1), Taken::kFull);
}

TEST(Budget, ClosedTakesNothing) {
  Budget budget(1, 10);
  budget.Close();
  EXPECT_TRUE(budget.closed());
  EXPECT_EQ(budget.Take(1), Taken::kClosed);
}

TEST(Budget, WaitsUntilIdle) {
  Budget budget(10, 100);
  ASSERT_EQ(budget.Take(5), Taken::kYes);
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  budget.Release(1, 5);
  EXPECT_FALSE(budget.WaitUntilIdle(soon)) << "room is not yet an answer";
  std::thread release([&] { budget.Answered(1); });
  EXPECT_TRUE(budget.WaitUntilIdle(std::chrono::steady_clock::now() + std::chrono::seconds(60)));
  release.join();
}

}  // namespace
}  // namespace stele::store
