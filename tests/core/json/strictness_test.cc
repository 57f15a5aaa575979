// One test for each refusal of formats §2, with its place.
#include <gtest/gtest.h>

#include <ostream>

#include "core/base/refusal.h"
#include "core/json/parse.h"

namespace stele::json {
namespace {

struct Refused {
  const char* name;
  std::string text;
  std::string_view reason;
  std::string pointer;
};
std::ostream& operator<<(std::ostream& out, const Refused& refused) { return out << refused.name; }

class Strictness : public ::testing::TestWithParam<Refused> {};

TEST_P(Strictness, IsRefused) {
  absl::StatusOr<Value> value = Parse(GetParam().text);
  ASSERT_FALSE(value.ok());
  EXPECT_EQ(value.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ReasonOf(value.status()), GetParam().reason);
  EXPECT_EQ(PointerOf(value.status()), GetParam().pointer);
  EXPECT_FALSE(value.status().message().empty());
}

std::string Nested(int depth) {
  return std::string(static_cast<size_t>(depth), '[') +
         std::string(static_cast<size_t>(depth), ']');
}

std::string Repeat(std::string_view part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out.append(part);
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Reading, Strictness,
    ::testing::Values(
        Refused{"Size", std::string(limits::kManifestBytes + 1, ' '), reason::kTooLarge, ""},
        Refused{"ByteOrderMark", "\xEF\xBB\xBF{}", reason::kByteOrderMark, ""},
        Refused{"Utf8", "{\"a\":\"\xC3\"}", reason::kInvalidUtf8, ""},
        Refused{"Utf8Surrogate", "{\"a\":\"\xED\xA0\x80\"}", reason::kInvalidUtf8, ""},
        Refused{"Syntax", "{\"a\":[1,]}", reason::kSyntax, "/a/1"},
        Refused{"Empty", "", reason::kSyntax, ""},
        Refused{"TrailingBytes", "{\"a\":1}}", reason::kTrailingBytes, ""},
        Refused{"DuplicateName", "{\"x\":{\"a\":1,\"\\u0061\":1}}", reason::kDuplicateName, "/x/a"},
        Refused{"LoneSurrogate", "{\"a\":[0,\"\\ud800\"]}", reason::kLoneSurrogate, "/a/1"},
        Refused{"LoneSurrogateInName", "{\"a\":{\"\\udc00\":1}}", reason::kLoneSurrogate, "/a"},
        Refused{"Noncharacter", "{\"a\":\"\xEF\xBF\xBE\"}", reason::kNoncharacter, "/a"},
        Refused{"NoncharacterInName", "[{\"\\ufdd0\":1}]", reason::kNoncharacter, "/0"},
        Refused{"Depth", Nested(65), reason::kTooDeep, Repeat("/0", 64)},
        Refused{"IntegerPrecision", "{\"a\":9007199254740993}", reason::kIntegerPrecision, "/a"},
        Refused{"NumberOverflow", "[1e309]", reason::kNumberOverflow, "/0"},
        Refused{"NumberUnderflow", "[0,-1e-400]", reason::kNumberUnderflow, "/1"}),
    [](const auto& info) { return std::string(info.param.name); });

// The order of rule 1.
INSTANTIATE_TEST_SUITE_P(
    Order, Strictness,
    ::testing::Values(
        Refused{"SizeBeforeMark", "\xEF\xBB\xBF" + std::string(limits::kManifestBytes, 'x'),
                reason::kTooLarge, ""},
        Refused{"MarkBeforeUtf8", "\xEF\xBB\xBF\xFF", reason::kByteOrderMark, ""},
        Refused{"Utf8BeforeSyntax", "[,\xFF", reason::kInvalidUtf8, ""},
        Refused{"Utf8BeforeOpenString", "[\"\xFF", reason::kInvalidUtf8, ""},
        Refused{"NumberBeforeSyntax", "[1e999,}", reason::kNumberOverflow, "/0"},
        Refused{"NumberBeforeOpenString", "[1e999,\"", reason::kNumberOverflow, "/0"},
        Refused{"NumberBeforeControl", "[1e999,\"\t\"]", reason::kNumberOverflow, "/0"},
        Refused{"NumberBeforeLetter", "[1e999x]", reason::kNumberOverflow, "/0"},
        Refused{"DuplicateBeforeDepth", "{\"a\":1,\"a\":" + Nested(70) + "}",
                reason::kDuplicateName, "/a"},
        Refused{"DuplicateBeforeColon", "{\"a\":1,\"a\"}", reason::kDuplicateName, "/a"},
        Refused{"NoncharacterBeforeEnd", "[\"\\uffff", reason::kNoncharacter, "/0"},
        Refused{"SyntaxBeforeTrailing", "[1 2]]", reason::kSyntax, ""}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(StrictnessDepth, SixtyFourAreAllowed) {
  EXPECT_TRUE(Parse(Nested(64)).ok());
  EXPECT_TRUE(Parse("{\"a\":" + Nested(63) + "}").ok());
  EXPECT_EQ(PointerOf(Parse("{\"a\":" + Nested(64) + "}").status()), "/a" + Repeat("/0", 63));
}

}  // namespace
}  // namespace stele::json
