// Properties over texts made at random from the pieces that JSON readers get wrong: the fast reader
// and the exact one agree, and a canonical form is accepted and is its own canonical form.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/base/refusal.h"
#include "core/json/canonical.h"
#include "core/json/first_fault.h"
#include "core/json/parse.h"

namespace stele::json {
namespace {

const std::vector<std::string> kPieces = {"{",
                                          "}",
                                          "[",
                                          "]",
                                          ":",
                                          ",",
                                          "\"",
                                          "\\",
                                          " ",
                                          "\n",
                                          "\t",
                                          "\r",
                                          "\f",
                                          "0",
                                          "-0",
                                          "1",
                                          "-",
                                          "1.5",
                                          "1e400",
                                          "2e-400",
                                          "9007199254740993",
                                          "1e21",
                                          "01",
                                          "true",
                                          "false",
                                          "null",
                                          "nul",
                                          "truex",
                                          "x",
                                          "\"a\"",
                                          "\"b\"",
                                          "\"a\":",
                                          "\"b\":1",
                                          "\"\":",
                                          "\"\\u0061\"",
                                          "\"\\ud800\"",
                                          "\"\\ud83d\\ude00\"",
                                          "\"\\\"",
                                          "\"\\uffff\"",
                                          "{}",
                                          "[]",
                                          "[1,2]",
                                          "{\"a\":1}",
                                          "\xC3\xA9",
                                          "\xEF\xB7\x90",
                                          "\xEF\xBB\xBF",
                                          "\xF0\x9F\x98\x80",
                                          std::string(1, '\0'),
                                          "\x1A",
                                          "/**/",
                                          "'a'",
                                          "1,",
                                          ",2",
                                          "]]",
                                          "}}",
                                          "\"x\ty\""};

class Texts {
 public:
  explicit Texts(uint64_t seed) : random_(seed) {}

  size_t Below(size_t n) { return static_cast<size_t>(random_() % n); }

  std::string Soup() {
    std::string text;
    for (size_t pieces = Below(12); pieces > 0; --pieces) text += kPieces[Below(kPieces.size())];
    return text;
  }

  // Valid but for what its pieces bring with them.
  std::string Document(int depth) {
    const size_t kind = Below(depth > 4 ? 4 : 8);
    if (kind < 4) return Scalar();
    const char* brackets = kind < 6 ? "[]" : "{}";
    std::string text(1, brackets[0]);
    for (size_t i = Below(4); i > 0; --i) {
      if (kind >= 6) text += "\"" + std::string(1, static_cast<char>('a' + Below(20))) + "\":";
      text += Document(depth + 1) + Space() + (i > 1 ? "," : "");
    }
    return text + brackets[1] + Space();
  }

  std::string Damaged(std::string text) {
    const size_t at = Below(text.size() + 1);
    switch (Below(3)) {
      case 0:
        return text.insert(at, kPieces[Below(kPieces.size())]);
      case 1:
        return text.erase(at, 1 + Below(3));
      default:
        return text.substr(0, at);
    }
  }

 private:
  std::string Space() { return Below(3) == 0 ? std::string(1, " \n\t\r"[Below(4)]) : ""; }
  std::string Scalar() {
    static const char* const kScalars[] = {"0",    "-1",    "1.5e3",   "\"x\"",
                                           "true", "null",  "\"\\n\"", "\"\xE2\x82\xAC\"",
                                           "1e20", "false", "0.1",     "\"\""};
    return kScalars[Below(std::size(kScalars))];
  }
  std::mt19937_64 random_;
};

// What both properties ask of one text; says whether it was accepted.
bool Check(const std::string& text) {
  absl::StatusOr<Value> value = Parse(text);
  const absl::Status exact = FirstFault(text, limits::kJsonDepth);
  EXPECT_EQ(value.status(), exact) << text;
  if (!value.ok()) return false;
  const std::string canonical = Canonical(*value);
  absl::StatusOr<Value> again = Parse(canonical);
  EXPECT_TRUE(again.ok()) << text << again.status();
  if (again.ok()) EXPECT_EQ(Canonical(*again), canonical) << text;
  return true;
}

TEST(Agreement, TokenSoup) {
  Texts texts(20240701);
  int accepted = 0;
  for (int i = 0; i < 200'000 && !::testing::Test::HasFailure(); ++i) {
    accepted += Check(texts.Soup()) ? 1 : 0;
  }
  EXPECT_GT(accepted, 500);
}

TEST(Agreement, Documents) {
  Texts texts(20240702);
  int accepted = 0;
  for (int i = 0; i < 50'000 && !::testing::Test::HasFailure(); ++i) {
    accepted += Check(texts.Document(0)) ? 1 : 0;
  }
  EXPECT_GT(accepted, 30'000);
}

TEST(Agreement, DamagedDocuments) {
  Texts texts(20240703);
  int refused = 0;
  for (int i = 0; i < 100'000 && !::testing::Test::HasFailure(); ++i) {
    refused +=
        Check(texts.Damaged("[" + texts.Document(0) + "," + texts.Document(0) + "]")) ? 0 : 1;
  }
  EXPECT_GT(refused, 30'000);
}

}  // namespace
}  // namespace stele::json
