#include "store/index/page_token.h"

#include <gtest/gtest.h>

#include "core/base/refusal.h"

namespace stele::store {
namespace {

const uint64_t kQuestion = QuestionHash({"list", "a"});

TEST(PageToken, ComesBack) {
  const std::string place(40, '\xFE');
  const std::string text = FormatPageToken({kQuestion, TreeSize(1234567), place});
  const auto token = ParsePageToken(text, kQuestion, TreeSize(1234567), 40);
  ASSERT_TRUE(token.ok()) << token.status();
  EXPECT_EQ(token->size, TreeSize(1234567));
  EXPECT_EQ(token->place, place);
}

TEST(PageToken, QuestionsDiffer) {
  EXPECT_NE(QuestionHash({"list", "a"}), QuestionHash({"list", "b"}));
  EXPECT_NE(QuestionHash({"list", "ab", ""}), QuestionHash({"list", "a", "b"}));
  EXPECT_NE(QuestionHash({"list"}), QuestionHash({"list", ""}));
}

void ExpectRefused(const std::string& text, uint64_t question, uint64_t most) {
  const absl::Status status = ParsePageToken(text, question, TreeSize(most), 8).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
  EXPECT_EQ(ReasonOf(status), reason::kWrongValue) << text;
  EXPECT_EQ(PointerOf(status), "/page_token") << text;
}

TEST(PageToken, OthersAreRefused) {
  const std::string good = FormatPageToken({kQuestion, TreeSize(10), "12345678"});
  ASSERT_TRUE(ParsePageToken(good, kQuestion, TreeSize(10), 8).ok());
  ExpectRefused(good, kQuestion + 1, 10);
  ExpectRefused(good, kQuestion, 9);
  ExpectRefused("", kQuestion, 10);
  ExpectRefused("page two", kQuestion, 10);
  ExpectRefused(good + "00", kQuestion, 10);
  ExpectRefused("00" + good.substr(2), kQuestion, 10);  // another version
  std::string capitals = good;
  capitals[5] = 'A';
  ExpectRefused(capitals, kQuestion, 10);
  for (size_t cut = 0; cut < good.size(); ++cut) ExpectRefused(good.substr(0, cut), kQuestion, 10);
}

}  // namespace
}  // namespace stele::store
