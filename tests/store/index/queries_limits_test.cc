// Indexes that no log leads to: too large for an answer, or damaged.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "core/base/query_limits.h"
#include "core/base/refusal.h"
#include "core/crypto/sha256.h"
#include "store/index/index_keys.h"
#include "store/index/words.h"
#include "tests/store/index/index_of_log.h"

namespace stele::store {
namespace {

using testing::IndexOfLog;

class QueriesLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    of_.AppendAll();
    of_.Apply();
  }
  std::shared_ptr<const Queries> With(const IndexRows& rows) {
    return With(rows, of_.rows()->position());
  }
  std::shared_ptr<const Queries> With(const IndexRows& rows, const IndexPosition& position) {
    IndexRows all = testing::AllRows(*of_.rows());
    for (const auto& [key, value] : rows) all.insert_or_assign(key, value);
    made_ = MakeMemoryIndex();
    EXPECT_EQ(made_->Write(all, position), absl::OkStatus());
    return *MakeQueries(std::shared_ptr<const Reader>(std::shared_ptr<void>(), &of_.reader()),
                        *made_->GetSnapshot(), IndexState::kFollowing);
  }
  static Digest Made(size_t n) { return Sha256("made " + std::to_string(n)); }
  // A record that the golden log has, and that has a name.
  RecordRow First() {
    auto page = of_.queries()->List({}, {.size = 1000, .token = {}});
    for (RecordRow& row : page->rows) {
      if (!row.name.empty()) return std::move(row);
    }
    throw std::runtime_error("no record with a name");
  }
  static void ExpectDamaged(const absl::Status& status) {
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_EQ(ReasonOf(status), reason::kDamaged) << status;
    EXPECT_NE(status.message().find("index row"), std::string::npos) << status;
  }

  IndexOfLog of_{"log"};
  std::unique_ptr<IndexStore> made_;
};

TEST_F(QueriesLimits, ACohortOfTooManyRunsIsRefused) {
  const Digest key = Sha256("a comparison key");
  IndexRows rows;
  for (size_t n = 0; n < limits::kCohortRuns; ++n) rows[CohortKey(key, Made(n))] = "";
  // As many as are allowed; that none of them is a run that is there is another matter.
  EXPECT_TRUE(absl::IsNotFound(With(rows)->CohortOf(key).status()));
  rows[CohortKey(key, Made(limits::kCohortRuns))] = "";
  const absl::Status status = With(rows)->CohortOf(key).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_EQ(LimitOf(status).name, "cohort_runs");
  EXPECT_EQ(LimitOf(status).value, std::to_string(limits::kCohortRuns));
}

TEST_F(QueriesLimits, WhatIsNotFoundMayBeWhereTheIndexIsNotYet) {
  const absl::Status known = With({})->CohortOf(Made(1)).status();
  EXPECT_TRUE(absl::IsNotFound(known)) << known;
  EXPECT_EQ(known.message().find("has taken in"), std::string::npos) << known;
  IndexPosition behind = of_.rows()->position();
  behind.applied = TreeSize(3);
  const absl::Status lags = With({}, behind)->CohortOf(Made(1)).status();
  EXPECT_TRUE(absl::IsNotFound(lags)) << lags;
  EXPECT_NE(lags.message().find("has taken in 3 of "), std::string::npos) << lags;
}

TEST_F(QueriesLimits, APageEndsAfterSoManyRowsLookedAt) {
  const Digest target = Sha256("a target");
  const RecordRow real = First();
  IndexRows rows;
  const EntryIndex beyond(of_.size() + 1);  // not applied: passed over
  for (size_t n = 0; n < 2 * limits::kPageCandidates + 10; ++n) {
    const std::string key = ReferenceKey(target, {beyond, Made(n)}, 0);
    rows[key] = EncodeReference({"/spec", false}, key);
  }
  const std::string key = ReferenceKey(target, {real.first, real.record}, 0);
  rows[key] = EncodeReference({"/spec/it", false}, key);
  const auto queries = With(rows);
  PageRequest request;
  std::vector<size_t> found;
  do {
    const auto page = queries->ReferencesTo(target, request);
    ASSERT_TRUE(page.ok()) << page.status();
    found.push_back(page->rows.size());
    request.token = page->next_token;
  } while (!request.token.empty());
  EXPECT_EQ(found, (std::vector<size_t>{0, 0, 1}));
  // Likewise a filter that nothing meets.
  size_t pages = 0;
  request.token.clear();
  do {
    const auto page = queries->List({.references = target}, request);
    ASSERT_TRUE(page.ok()) << page.status();
    ++pages;
    request.token = page->next_token;
  } while (!request.token.empty());
  EXPECT_EQ(pages, 3u);
}

TEST_F(QueriesLimits, PagesAreCutToTheirLargest) {
  IndexRows rows;
  const Digest target = Sha256("a target");
  const RecordRow real = First();
  for (uint32_t k = 0; k < limits::kPageRows + 1; ++k) {
    const std::string key = ReferenceKey(target, {real.first, real.record}, k);
    rows[key] = EncodeReference({"/spec", false}, key);
  }
  const auto queries = With(rows);
  EXPECT_EQ(queries->ReferencesTo(target, {.size = SIZE_MAX, .token = {}})->rows.size(),
            limits::kPageRows);
  EXPECT_EQ(queries->ReferencesTo(target, {})->rows.size(), limits::kDefaultPageRows);
}

TEST_F(QueriesLimits, MoreWordsThanAreLookedUpBeginAlike) {
  const RecordRow real = First();
  // Of another record each; the real one is found all the same.
  const std::string word = WordsOf(real.name, real.title).front();
  IndexRows rows;
  for (size_t n = 0; n < limits::kPrefixWords + 1; ++n) {
    rows[WordKey(word + "x" + std::to_string(n), {real.first, real.record}, Made(n))] = "";
  }
  const auto page = With(rows)->List({.name = word}, {.size = 1000, .token = {}});
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_EQ(page->rows.size(),
            of_.queries()->List({.name = word}, {.size = 1000, .token = {}})->rows.size());
}

TEST_F(QueriesLimits, DamageIsNamed) {
  const RecordRow real = First();
  const RecordPosition position{real.first, real.record};
  const std::string first = ListKey(RecordsPrefix(), position);
  const PageRequest kAll{.size = 1000, .token = {}};
  ExpectDamaged(With({{first, "damage"}})->List({}, kAll).status());
  ExpectDamaged(With({{BodyKey(real.record), "damage"}})->List({}, kAll).status());
  ExpectDamaged(With({{RecordsPrefix() + "short", ""}})->List({}, kAll).status());
  const Digest target = Sha256("a target");
  ExpectDamaged(
      With({{ReferencesPrefix(target) + "short", ""}})->ReferencesTo(target, {}).status());
  ExpectDamaged(
      With({{ReferenceKey(target, position, 0), "damage"}})->ReferencesTo(target, {}).status());
  ExpectDamaged(With({{CohortPrefix(target) + "short", ""}})->CohortOf(target).status());
  ExpectDamaged(With({{ResultsPrefix(target) + "short", ""}})->ResultsFor(target, {}).status());
  // A list that names a record which is not there.
  const std::string kind = ListKey(KindPrefix("Kind"), {EntryIndex(1), Sha256("nowhere")});
  ExpectDamaged(With({{kind, ""}})->List({.kind = "Kind"}, {}).status());
}

TEST_F(QueriesLimits, AnIndexAheadOfItsLogGivesNoAnswers) {
  IndexPosition ahead = of_.rows()->position();
  ahead.applied = TreeSize(ahead.applied.value() + 1);
  const auto index = MakeMemoryIndex();
  ASSERT_EQ(index->Write({}, ahead), absl::OkStatus());
  EXPECT_TRUE(absl::IsUnavailable(
      MakeQueries(std::shared_ptr<const Reader>(std::shared_ptr<void>(), &of_.reader()),
                  *index->GetSnapshot(), IndexState::kFollowing)
          .status()));
}

}  // namespace
}  // namespace stele::store
