// What follows from the registry's whole export, held against what the registry says itself.
#include "tests/core/kernelindex/corpus.h"

#include <gtest/gtest.h>

#include "core/record/manifest.h"
#include "tests/support/shared.h"

namespace stele::kernelindex {
namespace {

using testing::Corpus;
using testing::CorpusRun;

class KernelIndexCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (corpus_ == nullptr) GTEST_SKIP() << testing::kNoShared;
    ASSERT_EQ(corpus_->runs.size(), 7857u);
  }
  Digest KeyOf(const BenchmarkRun& run) const {
    return *ComparisonKey(run, *corpus_->records.at(*run.workload).workload);
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

}  // namespace
}  // namespace stele::kernelindex
