#include "store/log/clock_watch.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"

namespace stele::store {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr int64_t kNow = 1'700'000'000'000;
constexpr int64_t kHour = 3'600'000;
const std::chrono::steady_clock::time_point kSteady{hours(100)};

TEST(ClockWatch, FiveSecondsBehindTheLastEntryAreBorne) {
  ClockWatch watch(false);
  EXPECT_TRUE(watch.Check(TimeMs{kNow}, kSteady, TimeMs{kNow + 5000}).ok());
  const absl::Status behind = watch.Check(TimeMs{kNow}, kSteady, TimeMs{kNow + 5001});
  EXPECT_EQ(ReasonOf(behind), reason::kClock);
  EXPECT_TRUE(absl::IsUnavailable(behind));
  EXPECT_NE(behind.message().find("--accept-clock"), std::string::npos);
}

TEST(ClockWatch, AJumpOfMoreThanAnHourWithinARun) {
  ClockWatch watch(false);
  EXPECT_TRUE(watch.Check(TimeMs{kNow}, kSteady, TimeMs{0}).ok());
  EXPECT_TRUE(watch.Check(TimeMs{kNow + kHour}, kSteady, TimeMs{0}).ok());
  EXPECT_EQ(ReasonOf(watch.Check(TimeMs{kNow + 2 * kHour + 1}, kSteady, TimeMs{0})),
            reason::kClock);
}

TEST(ClockWatch, TimeThatPassedIsNoJump) {
  ClockWatch watch(false);
  EXPECT_TRUE(watch.Check(TimeMs{kNow}, kSteady, TimeMs{0}).ok());
  EXPECT_TRUE(watch.Check(TimeMs{kNow + 9 * kHour}, kSteady + hours(9), TimeMs{0}).ok());
}

TEST(ClockWatch, TheFirstReadingMayBeAnything) {
  ClockWatch watch(false);
  EXPECT_TRUE(watch.Check(TimeMs{kNow}, kSteady, TimeMs{0}).ok());
}

TEST(ClockWatch, AcceptedMeansAccepted) {
  ClockWatch watch(true);
  EXPECT_TRUE(watch.Check(TimeMs{kNow}, kSteady, TimeMs{kNow + kHour}).ok());
  EXPECT_TRUE(watch.Check(TimeMs{kNow + 5 * kHour}, kSteady + milliseconds(1), TimeMs{0}).ok());
}

}  // namespace
}  // namespace stele::store
