// What follows from the registry's whole export, held against what the registry says itself.
#include "tests/support/corpus/corpus.h"

#include <gtest/gtest.h>

#include "core/kernelindex/cohort.h"
#include "core/kernelindex/evidence.h"
#include "core/record/manifest.h"
#include "tests/core/kernelindex/naive_rank.h"
#include "tests/support/shared.h"

namespace stele::kernelindex {
namespace {

using testing::Corpus;
using testing::CorpusRun;
using Members = std::vector<CohortMember>;

class KernelIndexCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (corpus_ == nullptr) GTEST_SKIP() << testing::kNoShared;
    ASSERT_EQ(corpus_->runs.size(), 7857u);
  }
  Digest KeyOf(const BenchmarkRun& run) const {
    return *ComparisonKey(run, *corpus_->records.at(*run.workload).workload);
  }

  // As if each had been published once and nothing else said; a seed page's run, if given, too.
  std::map<Digest, Members> Cohorts(std::optional<Manifest> seed = std::nullopt) const {
    const RecordFacts published{.published = true, .counts = true};
    std::map<Digest, Members> cohorts;
    const auto add = [&](const Digest& record, const BenchmarkRun& run) {
      cohorts[KeyOf(run)].push_back(MemberOf(record, run, published));
    };
    for (const CorpusRun& run : corpus_->runs) add(run.record, *run.profile.run);
    if (seed) add(seed->record, *ReadProfile(seed->identity)->run);
    return cohorts;
  }

  const Corpus* const corpus_ = testing::SharedCorpus();
};

// The run on a seed page.
Manifest SeedRun(int number) {
  const std::string file = "kernelindex-run-" + std::to_string(number) + ".json";
  const std::string text =
      testing::ReadFile(std::filesystem::path(STELE_SOURCE_DIR) / "examples" / file);
  const std::vector<ManifestItem> items = ParseManifestFile(text).value();
  for (const ManifestItem& item : items) {
    if (item.member == "run") return item.manifest;
  }
  throw std::runtime_error("no run in " + file);
}

TEST_F(KernelIndexCorpus, EveryComparisonKeyIsTheRegistrysOwn) {
  for (const CorpusRun& run : corpus_->runs) {
    ASSERT_EQ(KeyOf(*run.profile.run).ToText(), run.comparison_key) << run.record.ToText();
  }
}

TEST_F(KernelIndexCorpus, SoIsWhatIsReadOfARun) {
  for (const CorpusRun& run : corpus_->runs) {
    const BenchmarkRun& read = *run.profile.run;
    ASSERT_EQ(read.primary.value, run.primary_value) << run.record.ToText();
    ASSERT_EQ(read.source_native, run.source_native) << run.record.ToText();
    ASSERT_EQ(read.raw.any(), run.has_raw_evidence) << run.record.ToText();
    ASSERT_EQ(read.status, run.status) << run.record.ToText();
  }
}

TEST_F(KernelIndexCorpus, TheComparisonKeysOfTheSeedPages) {
  const auto key_of = [&](int number) {
    return KeyOf(*ReadProfile(SeedRun(number).identity)->run).ToText();
  };
  EXPECT_EQ(key_of(1), "sha256:e0e91f29216e889f296457590db71c27b286886e8ba5dd7adad23d8cf56aba90");
  EXPECT_EQ(key_of(2), "sha256:5bb6db246167415f863f5257803f98c0c3df2a4e1115907000345b6fc7a7ea94");
}

TEST_F(KernelIndexCorpus, RanksAreThoseOfTheNaiveWay) {
  size_t largest = 0;
  const std::map<Digest, Members> cohorts = Cohorts();
  for (const auto& [key, members] : cohorts) {
    largest = std::max(largest, members.size());
    ASSERT_EQ(testing::RanksOf(RankCohort(members)), testing::NaiveRanks(members)) << key.ToText();
  }
  EXPECT_EQ(cohorts.size(), 1912u);
  EXPECT_EQ(largest, 260u);
}

TEST_F(KernelIndexCorpus, TheRunsThatAreNotRanked) {
  std::map<std::vector<std::string>, int> excluded;
  size_t ranked = 0;
  for (const auto& [key, members] : Cohorts()) {
    const Cohort cohort = RankCohort(members);
    ranked += cohort.ranked.size();
    for (const ExcludedRun& run : cohort.excluded) ++excluded[run.reasons];
  }
  const std::map<std::vector<std::string>, int> expected = {
      {{"STATUS_COMPILE_ERROR", "MISSING_PRIMARY_METRIC"}, 4},
      {{"STATUS_RUNTIME_ERROR", "MISSING_PRIMARY_METRIC"}, 82},
  };
  EXPECT_EQ(excluded, expected);
  EXPECT_EQ(ranked, 7857u - 86u);
}

TEST_F(KernelIndexCorpus, TheRunsOfTheSeedPagesInTheirCohorts) {
  const Manifest first = SeedRun(1), second = SeedRun(2);
  const Cohort alone = RankCohort(Cohorts(first).at(KeyOf(*ReadProfile(first.identity)->run)));
  ASSERT_EQ(alone.ranked.size(), 1u);
  EXPECT_EQ(alone.leader()->record, first.record);
  EXPECT_EQ(alone.leader()->value, 143901);

  const Cohort pair = RankCohort(Cohorts(second).at(KeyOf(*ReadProfile(second.identity)->run)));
  ASSERT_EQ(pair.ranked.size(), 2u);
  EXPECT_TRUE(pair.source_native);
  EXPECT_EQ(pair.leader()->value, 279914);
  EXPECT_EQ(pair.ranked[1].record, second.record);
  EXPECT_EQ(pair.ranked[1].rank, 2u);
  EXPECT_EQ(pair.ranked[1].difference, 353370 - 279914);
}

// The corpus as a log where each was published once by one key and nothing else was said.
class PublishedCorpus : public EvidenceSource {
 public:
  explicit PublishedCorpus(const Corpus& corpus) : records_(corpus.records) {
    for (const CorpusRun& run : corpus.runs) records_[run.record] = run.profile;
  }
  absl::StatusOr<RecordFacts> FactsOf(const Digest& record) const override {
    const auto known = records_.find(record);
    if (known == records_.end()) return RecordFacts();
    return RecordFacts{.published = true, .counts = true, .profile = known->second};
  }
  absl::StatusOr<bool> HasPublished(const KeyId&, const Digest&) const override { return false; }
  absl::StatusOr<std::vector<LoggedVerification>> VerificationsAbout(const Digest&) const override {
    return std::vector<LoggedVerification>();
  }
  absl::StatusOr<std::vector<LoggedVerification>> VerificationsCiting(
      const Digest&) const override {
    return std::vector<LoggedVerification>();
  }

 private:
  std::map<Digest, Profile> records_;
};

TEST_F(KernelIndexCorpus, EvidenceLevels) {
  const PublishedCorpus published(*corpus_);
  std::map<std::string_view, int> levels;
  for (const CorpusRun& run : corpus_->runs) {
    const auto evidence = EvidenceOf(published, run.record);
    ASSERT_TRUE(evidence.ok() && evidence->has_value()) << run.record.ToText();
    ++levels[EvidenceLevelName((*evidence)->level)];
  }
  const std::map<std::string_view, int> expected = {{"reported", 7682}, {"reproducible", 175}};
  EXPECT_EQ(levels, expected);
}

}  // namespace
}  // namespace stele::kernelindex
