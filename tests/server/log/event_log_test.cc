#include "server/log/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace stele::server {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(EventLogTest, TextIsOneLineWithTimeLevelAndMessage) {
  std::ostringstream out;
  EventLog log(LogFormat::kText, out);
  log.Warning("disk \"a\" is full");
  EXPECT_THAT(out.str(), MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\."
                                      "[0-9]{3}Z warning disk \"a\" is full\n"));
}

TEST(EventLogTest, JsonIsOneObjectALine) {
  std::ostringstream out;
  EventLog log(LogFormat::kJson, out);
  log.Error("a \"quote\", a \\ and\na line");
  EXPECT_THAT(out.str(), MatchesRegex("\\{\"time\":\"[^\"]*Z\",\"level\":\"error\",\"message\":.*"
                                      "\\}\n"));
  EXPECT_THAT(out.str(), HasSubstr(R"("message":"a \"quote\", a \\ and\na line"})"));
}

TEST(EventLogTest, NothingInAMessageBreaksTheLine) {
  for (LogFormat format : {LogFormat::kText, LogFormat::kJson}) {
    std::ostringstream out;
    EventLog log(format, out);
    log.Info("one\ntwo\r\x1b[31mthree%v{}");
    EXPECT_EQ(out.str().find('\n'), out.str().size() - 1);
    EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
    EXPECT_THAT(out.str(), HasSubstr("three%v{}"));
  }
}

TEST(EventLogTest, SeverityByName) {
  std::ostringstream out;
  EventLog log(LogFormat::kText, out);
  log.Write("info", "a");
  log.Write("warning", "b");
  log.Write("error", "c");
  log.Write("strange", "d");
  EXPECT_THAT(out.str(), MatchesRegex("[^\n]* info a\n[^\n]* warning b\n[^\n]* error c\n"
                                      "[^\n]* error d\n"));
}

}  // namespace
}  // namespace stele::server
