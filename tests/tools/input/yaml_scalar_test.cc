#include "tools/input/yaml_scalar.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"

namespace stele::tools {
namespace {

std::string Json(std::string_view text) {
  absl::StatusOr<std::string> token = PlainScalarToJson(text);
  return token.ok() ? *token : ReasonOf(token.status());
}

TEST(YamlScalarTest, NullAndBooleansOfTheCoreSchema) {
  for (const char* text : {"", "~", "null", "Null", "NULL"}) EXPECT_EQ(Json(text), "null") << text;
  for (const char* text : {"true", "True", "TRUE"}) EXPECT_EQ(Json(text), "true") << text;
  for (const char* text : {"false", "False", "FALSE"}) EXPECT_EQ(Json(text), "false") << text;
}

TEST(YamlScalarTest, WordsOfOlderVersionsAreStrings) {
  for (const char* text :
       {"yes",  "no",         "on",    "off", "y",   "N",   "nULL", "tRUE", "1_000", "12:30",
        "0b11", "2001-01-01", "1.2.3", "0x",  "0o",  "0xZ", "0o8",  "-0x1", "e5",    ".",
        "-",    "+",          "1e",    "1e+", "--1", "+-1", "inf",  "nan"}) {
    EXPECT_EQ(Json(text), "\"" + std::string(text) + "\"") << text;
    EXPECT_TRUE(PlainScalarIsString(text)) << text;
  }
}

TEST(YamlScalarTest, NumbersBecomeJsonLiterals) {
  EXPECT_EQ(Json("0"), "0");
  EXPECT_EQ(Json("-0"), "-0");
  EXPECT_EQ(Json("+12"), "12");
  EXPECT_EQ(Json("007"), "7");
  EXPECT_EQ(Json("-0012"), "-12");
  EXPECT_EQ(Json("0x1F"), "31");
  EXPECT_EQ(Json("0o17"), "15");
  EXPECT_EQ(Json("1.50"), "1.50");
  EXPECT_EQ(Json(".5"), "0.5");
  EXPECT_EQ(Json("-.5e3"), "-0.5e3");
  EXPECT_EQ(Json("5."), "5.0");
  EXPECT_EQ(Json("1E+3"), "1e3");
  EXPECT_EQ(Json("1e-07"), "1e-07");
  EXPECT_EQ(Json("9007199254740993"), "9007199254740993");
  EXPECT_EQ(Json("0xFFFFFFFFFFFFFFFF"), "18446744073709551615");
}

TEST(YamlScalarTest, RefusesWhatJsonHasNoNumberFor) {
  for (const char* text : {".inf", "-.inf", "+.Inf", ".INF", ".nan", ".NaN", ".NAN"}) {
    EXPECT_EQ(Json(text), "WRONG_VALUE") << text;
  }
  EXPECT_EQ(Json("0x10000000000000000"), "INTEGER_PRECISION");
}

}  // namespace
}  // namespace stele::tools
