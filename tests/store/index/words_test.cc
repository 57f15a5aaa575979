#include "store/index/words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/query_limits.h"

namespace stele::store {
namespace {

using Words = std::vector<std::string>;

TEST(Words, AreLettersAndDigitsInEitherCase) {
  EXPECT_EQ(WordsOf("BF16 GEMM, 4096\xC3\x97"
                    "4096 (H100)",
                    ""),
            (Words{"4096\xC3\x97"
                   "4096",
                   "bf16", "gemm", "h100"}));
  EXPECT_EQ(WordsOf("one_two-three.four/five\tsix", ""),
            (Words{"five", "four", "one", "six", "three", "two"}));
  EXPECT_EQ(WordsOf("", ""), Words());
  EXPECT_EQ(WordsOf(" ,;-_ ", "\n"), Words());
}

TEST(Words, OfNameAndTitleEachOnce) { EXPECT_EQ(WordsOf("b a b", "A c"), (Words{"a", "b", "c"})); }

TEST(Words, NothingBeyondAsciiIsFoldedOrSplit) {
  EXPECT_EQ(WordsOf("\xC3\x84pfel \xC3\xA4pfel", ""), (Words{"\xC3\x84pfel", "\xC3\xA4pfel"}));
}

TEST(Words, SplitKeepsOrderAndRepetition) {
  EXPECT_EQ(SplitWords("b a b", 10), (Words{"b", "a", "b"}));
  EXPECT_EQ(SplitWords("b a b", 2), (Words{"b", "a"}));
  EXPECT_EQ(SplitWords("b a b", 0), Words());
}

TEST(Words, NoMoreThanAreKept) {
  std::string text;
  for (size_t i = 0; i < limits::kIndexedWords + 5; ++i) text += "w" + std::to_string(i) + " ";
  const Words words = WordsOf(text, "last");
  EXPECT_EQ(words.size(), limits::kIndexedWords);
  EXPECT_EQ(std::count(words.begin(), words.end(), "last"), 0);
  EXPECT_EQ(std::count(words.begin(), words.end(), "w0"), 1);
}

TEST(Words, LongOnesAreCutAtTheEndOfACharacter) {
  const std::string most(limits::kIndexedWordBytes, 'a');
  EXPECT_EQ(SplitWords(most, 1), Words{most});
  EXPECT_EQ(SplitWords(most + "bcd e", 2), (Words{most, "e"}));
  // The two bytes of the last character do not both fit.
  const std::string less(limits::kIndexedWordBytes - 1, 'a');
  EXPECT_EQ(SplitWords(less + "\xC3\xA4", 1), Words{less});
}

TEST(CutText, KeepsWholeCharacters) {
  EXPECT_EQ(CutText("abc", 3), "abc");
  EXPECT_EQ(CutText("abc", 2), "ab");
  EXPECT_EQ(CutText("a\xE2\x82\xAC", 4), "a\xE2\x82\xAC");
  for (size_t bytes : {1u, 2u, 3u}) EXPECT_EQ(CutText("a\xE2\x82\xAC", bytes), "a") << bytes;
  EXPECT_EQ(CutText("\xE2\x82\xAC", 2), "");
  EXPECT_EQ(CutText("", 0), "");
}

}  // namespace
}  // namespace stele::store
