#include "core/query/answers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/crypto/sha256.h"

namespace stele {
namespace {

TEST(IndexStateTest, NamesAndBack) {
  for (IndexState state : {IndexState::kFollowing, IndexState::kRebuilding, IndexState::kStopped}) {
    EXPECT_EQ(ParseIndexState(IndexStateName(state)), state);
    EXPECT_FALSE(IndexStateName(state).empty());
  }
  EXPECT_EQ(ParseIndexState(""), std::nullopt);
  EXPECT_EQ(ParseIndexState("Following"), std::nullopt);
}

TEST(CohortAnswerTest, FindsItsMembersAndNoOther) {
  CohortAnswer answer;
  EXPECT_EQ(answer.Find(Sha256("a")), nullptr);
  std::vector<Digest> digests = {Sha256("a"), Sha256("b"), Sha256("c"), Sha256("d")};
  std::sort(digests.begin(), digests.end());
  for (const Digest& digest : digests) answer.runs.push_back({.record = {.record = digest}});
  for (const Digest& digest : digests) {
    ASSERT_NE(answer.Find(digest), nullptr);
    EXPECT_EQ(answer.Find(digest)->record.record, digest);
  }
  EXPECT_EQ(answer.Find(Sha256("e")), nullptr);
}

}  // namespace
}  // namespace stele
