#include "tools/hammer/ask.h"

#include <gtest/gtest.h>

namespace stele::tools {
namespace {

TEST(Question, EachHasAName) {
  EXPECT_EQ(ParseQuestion("get"), Question::kGet);
  EXPECT_EQ(ParseQuestion("list"), Question::kList);
  EXPECT_EQ(ParseQuestion("references"), Question::kReferences);
  EXPECT_EQ(ParseQuestion("history"), Question::kHistory);
  EXPECT_EQ(ParseQuestion("cohort"), Question::kCohort);
  EXPECT_EQ(ParseQuestion(""), std::nullopt);
  EXPECT_EQ(ParseQuestion("List"), std::nullopt);
}

// Nobody listens there.
TEST(RunAsk, CountsWhatFails) {
  RunOptions options;
  options.connect.address = "127.0.0.1:1";
  options.connect.timeout = std::chrono::seconds(1);
  for (const Question question : {Question::kGet, Question::kList, Question::kHistory}) {
    const RunResult result = RunAsk(options, {question, {}, {Digest()}}, 2);
    EXPECT_EQ(result.tally.done(), 0u);
    EXPECT_EQ(result.tally.failed(), 2u);
  }
}

}  // namespace
}  // namespace stele::tools
