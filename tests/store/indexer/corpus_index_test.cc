// The registry's whole export in a store, asked through its queries.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "store/fsck/index_check.h"
#include "store/index/index_queries.h"
#include "store/index/memory_index.h"
#include "store/indexer/applier.h"
#include "store/read/snapshot_reader.h"
#include "tests/support/corpus/corpus.h"
#include "tests/support/shared.h"
#include "tests/support/store/answers_text.h"
#include "tests/support/store/store_test_base.h"

namespace stele::store {
namespace {

using namespace stele::testing;  // NOLINT: what tests publish with

constexpr size_t kSubjects = 64;  // of one statement

// Published once for all cases; nothing more is said in it.
class CorpusIndex : public ::testing::Test {
 protected:
  struct Published {
    StoreHome home{Engine::kMemory};
    std::unique_ptr<Store> store;
    std::shared_ptr<const Queries> queries;
  };

  void SetUp() override {
    if (corpus_ == nullptr) GTEST_SKIP() << kNoShared;
    if (published_ == nullptr) Publish();
    ASSERT_NE(published_, nullptr);
  }
  static void TearDownTestSuite() { published_.reset(); }

  static void Publish() {
    auto made = std::make_unique<Published>();
    auto opened = made->home.Open();
    ASSERT_TRUE(opened.ok()) << opened.status();
    made->store = *std::move(opened);
    const PrivateKey publisher = TestKey("publisher");
    std::vector<PublishItem> items;
    items.push_back(
        Sign(Grant(publisher.public_key(), Role::kPublisher, kNoEvent), TestKey("operator")));
    const std::vector<std::string>& all = corpus_->manifests;
    for (size_t begin = 0; begin < all.size(); begin += kSubjects) {
      const size_t end = std::min(all.size(), begin + kSubjects);
      std::vector<std::string> some(all.begin() + static_cast<ptrdiff_t>(begin),
                                    all.begin() + static_cast<ptrdiff_t>(end));
      const Statement statement = stele::testing::Publication(some);
      items.push_back(Sign(statement, publisher, items.size(), std::move(some)));
    }
    const auto sink = std::make_shared<CollectSink>(made->store->log_verifier());
    // The grant first: what follows counts on it.
    std::vector<PublishItem> grant;
    grant.push_back(std::move(items.front()));
    items.erase(items.begin());
    made->store->Publish(std::move(grant), sink);
    sink->Wait(1);
    const size_t count = items.size() + 1;
    for (PublishItem& item : items) {
      std::vector<PublishItem> one;
      one.push_back(std::move(item));
      made->store->Publish(std::move(one), sink);
    }
    for (const PublishOutcome& outcome : sink->Wait(count)) {
      ASSERT_TRUE(outcome.result.ok()) << outcome.result.status();
    }
    ASSERT_EQ(sink->fault(), absl::OkStatus());
    const TreeSize size = (*made->store->GetReader())->head().size;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    ASSERT_TRUE(made->store->WaitForIndex(size, deadline));
    made->queries = *made->store->GetQueries();
    published_ = std::move(made);
  }

  const Queries& queries() const { return *published_->queries; }

  inline static const Corpus* const corpus_ = SharedCorpus();
  inline static std::unique_ptr<Published> published_;
};

// Every run is in the cohort with the key that the registry computed, and in no other.
TEST_F(CorpusIndex, CohortsAreTheRegistrys) {
  std::map<std::string, std::map<Digest, const CorpusRun*>> cohorts;
  for (const CorpusRun& run : corpus_->runs) cohorts[run.comparison_key][run.record] = &run;
  EXPECT_EQ(cohorts.size(), 1912u);
  size_t largest = 0, ranked = 0, keys = 0;
  std::map<std::vector<std::string>, int> excluded;
  for (const auto& [key, members] : cohorts) {
    const auto answer = queries().CohortOf(*Digest::FromText(key));
    ASSERT_TRUE(answer.ok()) << answer.status();
    ASSERT_EQ(answer->runs.size(), members.size()) << key;
    for (const auto& [record, run] : members) {
      const RunRow* row = answer->Find(record);
      ASSERT_NE(row, nullptr) << record.ToText();
      ASSERT_TRUE(row->cohort.has_value() && row->cohort->ToText() == key) << record.ToText();
      EXPECT_EQ(row->measurement.value, run->primary_value);
      EXPECT_EQ(row->status, run->status);
      EXPECT_EQ(row->implementation, run->profile.run->implementation);
      ++keys;
    }
    const auto by_run = queries().CohortOf(members.begin()->first);
    ASSERT_TRUE(by_run.ok()) << by_run.status();
    EXPECT_EQ(by_run->key, answer->key);
    EXPECT_EQ(TextOf(by_run->cohort), TextOf(answer->cohort));
    largest = std::max(largest, answer->runs.size());
    ranked += answer->cohort.ranked.size();
    for (const auto& run : answer->cohort.excluded) ++excluded[run.reasons];
    if (const auto* leader = answer->cohort.leader()) {
      EXPECT_EQ(answer->Find(leader->record)->measurement.value, leader->value);
      EXPECT_EQ(leader->rank, 1u);
    }
  }
  EXPECT_EQ(keys, 7857u);
  EXPECT_EQ(largest, 260u);
  EXPECT_EQ(ranked, 7857u - 86u);
  const std::map<std::vector<std::string>, int> expected = {
      {{"STATUS_COMPILE_ERROR", "MISSING_PRIMARY_METRIC"}, 4},
      {{"STATUS_RUNTIME_ERROR", "MISSING_PRIMARY_METRIC"}, 82},
  };
  EXPECT_EQ(excluded, expected);
}

TEST_F(CorpusIndex, EvidenceLevelsAndLists) {
  std::map<std::string_view, int> levels;
  for (const CorpusRun& run : corpus_->runs) {
    const auto evidence = queries().EvidenceOf(run.record);
    ASSERT_TRUE(evidence.ok() && evidence->has_value()) << run.record.ToText();
    ++levels[kernelindex::EvidenceLevelName((*evidence)->level)];
  }
  const std::map<std::string_view, int> expected = {{"reported", 7682}, {"reproducible", 175}};
  EXPECT_EQ(levels, expected);

  std::map<Digest, size_t> by_workload;
  for (const CorpusRun& run : corpus_->runs) ++by_workload[*run.profile.run->workload];
  size_t found = 0;
  std::string token;
  do {
    const auto page = queries().List({.kind = "BenchmarkRun"}, {.size = 1000, .token = token});
    ASSERT_TRUE(page.ok()) << page.status();
    found += page->rows.size();
    token = page->next_token;
  } while (!token.empty());
  EXPECT_EQ(found, 7857u);
  for (const auto& [workload, count] : by_workload) {
    const auto page = queries().ResultsFor(workload, {.size = 1000, .token = {}});
    ASSERT_TRUE(page.ok()) << page.status();
    EXPECT_EQ(page->rows.size(), count);
  }
}

// Derived anew, all answers are byte for byte those of before, and every row is the same.
TEST_F(CorpusIndex, DerivedAnewItAnswersAlike) {
  auto reader = *published_->store->GetReader();
  const auto* over_snapshot = dynamic_cast<const SnapshotReader*>(reader.get());
  ASSERT_NE(over_snapshot, nullptr);
  const std::unique_ptr<IndexStore> index = MakeMemoryIndex();
  IndexApplier applier(*index, {}, nullptr);
  while (applier.position().applied < reader->head().size) {
    ASSERT_EQ(applier.ApplyBatch(over_snapshot->snapshot()), absl::OkStatus());
  }
  const auto rows = *index->GetSnapshot();
  std::string said;
  Findings findings([&](const Finding& finding) { said += finding.Text() + "\n"; });
  const auto check = CheckIndexRows(over_snapshot->snapshot(), *rows, findings, {});
  ASSERT_TRUE(check.ok()) << check.status();
  EXPECT_EQ(said, "");
  EXPECT_EQ(check->records, corpus_->manifests.size());
  const auto again = MakeQueries(reader, rows, IndexState::kFollowing);
  EXPECT_EQ(AnswersText(**again, 500), AnswersText(queries(), 300));
}

}  // namespace
}  // namespace stele::store
