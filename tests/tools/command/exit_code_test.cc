#include "tools/command/exit_code.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"
#include "tools/command/common.h"

namespace stele::tools {
namespace {

TEST(ExitCodeTest, SaysWhatToDo) {
  EXPECT_EQ(ExitCodeOf(absl::OkStatus()), 0);
  EXPECT_EQ(ExitCodeOf(absl::InvalidArgumentError("")), 1);
  EXPECT_EQ(ExitCodeOf(absl::NotFoundError("")), 1);
  EXPECT_EQ(ExitCodeOf(UsageError("")), 2);
  EXPECT_EQ(ExitCodeOf(absl::UnavailableError("")), 3);
  EXPECT_EQ(ExitCodeOf(absl::DeadlineExceededError("")), 3);
  EXPECT_EQ(ExitCodeOf(absl::DataLossError("")), 4);
}

TEST(ExitCodeTest, DescribesReasonAndPlace) {
  EXPECT_EQ(Describe(absl::NotFoundError("nothing there")), "nothing there");
  EXPECT_EQ(Describe(RefuseInput("SYNTAX", "", "no JSON")), "no JSON [SYNTAX]");
  EXPECT_EQ(Describe(RefuseInput("SYNTAX", "/a", "no JSON")), "no JSON [SYNTAX at /a]");
  EXPECT_EQ(Describe(absl::CancelledError("")), "CANCELLED");
}

TEST(DurationTest, HasUnits) {
  using std::chrono::milliseconds;
  EXPECT_EQ(ParseDuration("500ms"), milliseconds(500));
  EXPECT_EQ(ParseDuration("30s"), milliseconds(30000));
  EXPECT_EQ(ParseDuration("30"), milliseconds(30000));
  EXPECT_EQ(ParseDuration("2m"), milliseconds(120000));
  for (const char* text : {"", "s", "0s", "-1s", "1.5s", "1h", "2d", "1s ", "100000000000m",
                           "99999999999999999999s"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace stele::tools
