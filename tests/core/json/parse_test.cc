#include "core/json/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

#include "core/base/refusal.h"
#include "core/json/canonical.h"

namespace stele::json {
namespace {

std::string Source(std::string_view text, const Value& value) {
  return std::string(text.substr(value.source_begin, value.source_end - value.source_begin));
}

TEST(Parse, GivesTheTypesOfJson) {
  absl::StatusOr<Value> value =
      Parse(R"({"n":null,"t":true,"f":false,"d":-1.5,"s":"x\n","a":[1,[]],"o":{}})");
  ASSERT_TRUE(value.ok()) << value.status();
  const Object& object = *value->object();
  EXPECT_TRUE(object.Find("n")->is_null());
  EXPECT_EQ(*object.Find("t")->boolean(), true);
  EXPECT_EQ(*object.Find("f")->boolean(), false);
  EXPECT_EQ(*object.Find("d")->number(), -1.5);
  EXPECT_EQ(*object.Find("s")->string(), "x\n");
  EXPECT_EQ(object.Find("a")->array()->size(), 2u);
  EXPECT_TRUE(object.Find("o")->object()->members.empty());
  EXPECT_EQ(object.Find("x"), nullptr);
}

TEST(Parse, EveryScalarMayStandAlone) {
  for (const char* text : {"null", " true ", "false\n", "\"x\"", "\t\"\" ", "0", " -1.5e3 "}) {
    EXPECT_TRUE(Parse(text).ok()) << text;
  }
}

TEST(Parse, ZeroIsNeverNegative) {
  for (const char* text : {"-0", "-0.0", "-0e99", "0e-99999"}) {
    absl::StatusOr<Value> value = Parse(text);
    ASSERT_TRUE(value.ok());
    EXPECT_FALSE(std::signbit(*value->number())) << text;
  }
}

TEST(Parse, MembersStandInCanonicalOrder) {
  absl::StatusOr<Value> value = Parse(R"({"b":1,"":2,"\ue000":3,"\ud83d\ude00":4,"a":5})");
  ASSERT_TRUE(value.ok());
  std::vector<std::string> names;
  for (const Member& member : value->object()->members) names.push_back(member.first);
  EXPECT_EQ(names, (std::vector<std::string>{"", "a", "b", "\U0001F600", "\uE000"}));
}

TEST(Parse, ContainersKnowTheirSource) {
  const std::string text = "  { \"b\" : { } , \"a\":[ 1 , [ ] \n] \t}  ";
  absl::StatusOr<Value> value = Parse(text);
  ASSERT_TRUE(value.ok()) << value.status();
  EXPECT_EQ(Source(text, *value), text.substr(2, text.size() - 4));
  EXPECT_EQ(Source(text, *value->object()->Find("b")), "{ }");
  const Value& array = *value->object()->Find("a");
  EXPECT_EQ(Source(text, array), "[ 1 , [ ] \n]");
  EXPECT_EQ(Source(text, array.array()->at(1)), "[ ]");
}

TEST(Parse, LimitsAreTheCallers) {
  EXPECT_TRUE(Parse("[1]", {.max_bytes = 3}).ok());
  EXPECT_EQ(ReasonOf(Parse("[1] ", {.max_bytes = 3}).status()), reason::kTooLarge);
  EXPECT_TRUE(Parse("[[1]]", {.max_depth = 2}).ok());
  EXPECT_EQ(PointerOf(Parse("[[1]]", {.max_depth = 1}).status()), "/0");
  EXPECT_EQ(ReasonOf(Parse("[]", {.max_depth = 0}).status()), reason::kTooDeep);
  EXPECT_TRUE(Parse("1", {.max_depth = 0}).ok());
}

TEST(Parse, AColonInAnArrayIsNoMember) {
  // simdjson, left to skip a string before a colon, takes it for a member name.
  for (const char* text : {"[\"a\":1]", "[[\"a\":1],2]", "[[\"a\":1],2]]", "[\"a\":[]]", "[1:2]"}) {
    EXPECT_EQ(ReasonOf(Parse(text).status()), reason::kSyntax) << text;
  }
}

TEST(Parse, TheWorkspaceOfAThreadCarriesNothingOver) {
  // Large, broken and small texts in turn: neither size nor bytes of one matter to the next.
  const std::string large = "[\"" + std::string(8 * 1024 * 1024, 'x') + "\"]";
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(Parse(large, {.max_bytes = large.size()}).ok());
    EXPECT_EQ(ReasonOf(Parse("[1").status()), reason::kSyntax);
    EXPECT_EQ(Canonical(*Parse("[1]")), "[1]");
    EXPECT_EQ(ReasonOf(Parse("[1").status()), reason::kSyntax);
    EXPECT_TRUE(Parse("[" + std::string(20000, ' ') + "]").ok());
  }
}

TEST(Parse, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 500; ++i) {
        const std::string text = "{\"t\":" + std::to_string(t * 1000 + i) + "}";
        EXPECT_EQ(Canonical(*Parse(text)), text);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace stele::json
