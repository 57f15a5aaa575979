#include "store/index/index_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

const Digest kA = Sha256("a"), kB = Sha256("b"), kC = Sha256("c");

std::string_view Rest(const std::string& key, const std::string& prefix) {
  EXPECT_TRUE(key.starts_with(prefix));
  return std::string_view(key).substr(prefix.size());
}

TEST(IndexKeys, ListsStandNewestFirstThenByRecord) {
  const Digest low = std::min(kA, kB), high = std::max(kA, kB);
  const std::string prefix = RecordsPrefix();
  const std::string newest = ListKey(prefix, {EntryIndex(300), high});
  const std::string same_low = ListKey(prefix, {EntryIndex(255), low});
  const std::string same_high = ListKey(prefix, {EntryIndex(255), high});
  const std::string oldest = ListKey(prefix, {EntryIndex(0), low});
  EXPECT_LT(newest, same_low);
  EXPECT_LT(same_low, same_high);
  EXPECT_LT(same_high, oldest);
}

TEST(IndexKeys, PositionsComeBack) {
  for (uint64_t first : {uint64_t{0}, uint64_t{1}, uint64_t{256}, UINT64_MAX}) {
    const RecordPosition position{EntryIndex(first), kA};
    const std::string key = ListKey(KindPrefix("Kind"), position);
    EXPECT_EQ(ParsePosition(Rest(key, KindPrefix("Kind"))), position);
  }
  EXPECT_FALSE(ParsePosition(std::string(kPositionBytes - 1, 'x')).has_value());
}

TEST(IndexKeys, NoKindIsTheBeginningOfAnother) {
  const std::string longer = ListKey(KindPrefix("AB"), {EntryIndex(1), kA});
  EXPECT_FALSE(longer.starts_with(KindPrefix("A")));
  EXPECT_FALSE(longer.starts_with(KindPrefix("")));
}

TEST(IndexKeys, WordsComeBackAndSortByWord) {
  const RecordPosition position{EntryIndex(7), kA};
  const std::string key = WordKey("gemm", position, kB);
  const auto parts = ParseWordKey(key);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->word, "gemm");
  EXPECT_EQ(parts->position, position);
  EXPECT_EQ(parts->manifest, kB);
  EXPECT_TRUE(key.starts_with(WordPrefix("gemm")));
  EXPECT_TRUE(key.starts_with(WordsPrefix("ge")));
  EXPECT_FALSE(key.starts_with(WordPrefix("ge")));
  EXPECT_LT(key, WordKey("gemm2", position, kB));
  // Behind every row of the word, before those of the next.
  EXPECT_LT(key, WordsPrefix("gemm\x01"));
  EXPECT_LT(WordsPrefix("gemm\x01"), WordKey("gemm2", position, kB));
}

TEST(IndexKeys, WordKeysAreStrict) {
  const std::string key = WordKey("w", {EntryIndex(7), kA}, kB);
  EXPECT_FALSE(ParseWordKey("").has_value());
  EXPECT_FALSE(ParseWordKey("A" + key.substr(1)).has_value());
  EXPECT_FALSE(ParseWordKey(key.substr(0, key.size() - 1)).has_value());
  EXPECT_FALSE(ParseWordKey("N" + key.substr(2)).has_value());  // no word at all
  std::string early = key;
  early[1] = '\0';
  EXPECT_FALSE(ParseWordKey(early).has_value());
}

TEST(IndexKeys, ReferencesStandByRecordThenByNumber) {
  const RecordPosition position{EntryIndex(7), kB};
  const std::string first = ReferenceKey(kA, position, 1), second = ReferenceKey(kA, position, 256);
  EXPECT_LT(first, second);
  const auto parts = ParseReference(Rest(second, ReferencesPrefix(kA)));
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->position, position);
  EXPECT_EQ(parts->k, 256u);
  EXPECT_FALSE(ParseReference(Rest(second, ReferencesPrefix(kA)).substr(1)).has_value());
  EXPECT_FALSE(ParseReference(second).has_value());
}

TEST(IndexKeys, VerificationsStandByIndex) {
  const std::string first = VerificationKey(kA, EntryIndex(2), kC);
  const std::string second = VerificationKey(kA, EntryIndex(300), kB);
  EXPECT_LT(first, second);
  const auto parts = ParseVerification(Rest(second, VerificationsPrefix(kA)));
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->index, EntryIndex(300));
  EXPECT_EQ(parts->record, kB);
  EXPECT_FALSE(ParseVerification(second).has_value());
}

TEST(IndexKeys, TablesDoNotMeet) {
  const RecordPosition position{EntryIndex(1), kA};
  const std::vector<std::string> keys = {
      ListKey(RecordsPrefix(), position),
      ListKey(KindPrefix("k"), position),
      ListKey(PublisherPrefix(kB), position),
      WordKey("w", position, kB),
      ReferenceKey(kB, position, 0),
      ListKey(ResultsPrefix(kB), position),
      CohortKey(kB, kA),
      ComparisonKeyKey(kA, kB),
      VerificationKey(kB, EntryIndex(1), kA),
      ManifestKey(kB, kA),
      BodyKey(kA),
      TitleKey(kA, kB),
      RunKey(kA),
  };
  std::string letters;
  for (const std::string& key : keys) letters += key.front();
  std::sort(letters.begin(), letters.end());
  EXPECT_EQ(std::adjacent_find(letters.begin(), letters.end()), letters.end()) << letters;
  EXPECT_TRUE(TitleKey(kA, kB).starts_with(TitlesPrefix(kA)));
  EXPECT_TRUE(ManifestKey(kB, kA).starts_with(ManifestPrefix(kB)));
  EXPECT_TRUE(CohortKey(kB, kA).starts_with(CohortPrefix(kB)));
  EXPECT_TRUE(ComparisonKeyKey(kA, kB).starts_with(ComparisonKeyPrefix(kA)));
}

}  // namespace
}  // namespace stele::store
