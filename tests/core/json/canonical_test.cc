#include "core/json/canonical.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace stele::json {
namespace {

std::string Number(double number) {
  std::string out;
  AppendCanonicalNumber(number, out);
  return out;
}

TEST(Canonical, NumbersOfRfc8785AppendixB) {
  const std::pair<uint64_t, const char*> kNumbers[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& [bits, text] : kNumbers) {
    double number;
    std::memcpy(&number, &bits, sizeof(number));
    EXPECT_EQ(Number(number), text) << std::hex << bits;
  }
}

TEST(Canonical, StringsHaveTheShortestEscapes) {
  std::string all;
  for (int c = 0; c < 0x24; ++c) all.push_back(static_cast<char>(c));
  all.append("\\/\x7f\u00e9\u2028\U0001F600");
  std::string out;
  AppendCanonicalString(all, out);
  EXPECT_EQ(
      out,
      "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e"
      "\\u000f\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a"
      "\\u001b\\u001c\\u001d\\u001e\\u001f !\\\"#\\\\/\x7f\u00e9\u2028\U0001F600\"");
}

TEST(Canonical, AppendsToWhatIsThere) {
  std::string out = "x";
  AppendCanonical(Value(Value::Data(Array{Value(), Value(Value::Data(true))})), out);
  EXPECT_EQ(out, "x[null,true]");
}

TEST(Canonical, LessIsTheOrderOfUtf16) {
  // In UTF-16 order; UTF-8 order would put the emoji last.
  const std::vector<std::string> ordered = {"",           "\r",         "1",           "A",
                                            "a",          "aa",         "a\u0301",     "b",
                                            "\u0080",     "\u00f6",     "\u20ac",      "\uD7FF",
                                            "\U00010000", "\U0001F600", "\U0001F600a", "\U0010FFFD",
                                            "\uE000",     "\uFB33",     "\uFFFD"};
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(CanonicalLess(ordered[i], ordered[j]), i < j) << i << " " << j;
      EXPECT_EQ(CanonicalLess("x" + ordered[i], "x" + ordered[j]), i < j) << i << " " << j;
    }
  }
}

TEST(Canonical, FindWorksInSmallAndLargeObjects) {
  for (int size : {3, 16, 17, 300}) {
    Object object;
    for (int i = 0; i < size; ++i) {
      object.members.emplace_back("k" + std::to_string(i) + (i % 2 ? "\U0001F600" : "\uE000"),
                                  Value(Value::Data(double(i))));
    }
    std::sort(object.members.begin(), object.members.end(),
              [](const Member& a, const Member& b) { return CanonicalLess(a.first, b.first); });
    for (const Member& member : object.members) {
      ASSERT_EQ(object.Find(member.first), &member.second);
      EXPECT_EQ(object.Find(member.first + "x"), nullptr);
    }
  }
}

}  // namespace
}  // namespace stele::json
