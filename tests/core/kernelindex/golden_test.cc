// The golden logs: runs, cohorts and evidence levels as the reference has them.
#include <gtest/gtest.h>

#include "tests/core/kernelindex/naive_evidence.h"
#include "tests/core/kernelindex/naive_rank.h"
#include "tests/support/replay/golden_said.h"
#include "tests/support/replay/replay_source.h"
#include "tests/support/vector_file.h"

namespace stele::kernelindex {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

class KernelIndexGolden : public ::testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    for (const Said& said : testing::ReadGoldenLog(log_)) source_.Add(said).IgnoreError();
  }
  element Expected(std::string_view name) const { return expected_.root()[name]; }

  const testing::GoldenLog log_ = testing::LoadGoldenLog(GetParam());
  const testing::VectorFile expected_{log_.dir / "expected.json"};
  testing::ReplaySource source_{[this](const Digest& d) { return log_.Content(d.ToHex()); }};
};

std::optional<std::string> TextOrNull(element value) {
  if (value.is_null()) return std::nullopt;
  return std::string(std::string_view(value));
}

TEST_P(KernelIndexGolden, Runs) {
  using Row = std::tuple<std::string, std::optional<double>, std::optional<std::string>>;
  std::map<std::string, Row> runs, expected;
  for (const auto& [record, run] : source_.Runs()) {
    Row& row = runs[record.ToText()];
    row = {run.primary.key, run.primary.value, std::nullopt};
    if (const auto key = source_.KeyOf(run)) std::get<2>(row) = key->ToText();
  }
  for (auto [record, row] : object(Expected("runs"))) {
    std::optional<double> value;
    if (!element(row.at(1)).is_null()) value = double(row.at(1));
    expected[std::string(record)] = {std::string(std::string_view(row.at(0))), value,
                                     TextOrNull(row.at(2))};
  }
  EXPECT_EQ(runs, expected);
}

// The cohort of the reference, in our words.
Cohort ExpectedCohort(element value) {
  Cohort cohort;
  cohort.source_native = bool(value["sourceNative"]);
  for (element pair : array(value["ranked"])) {
    cohort.ranked.push_back({.rank = static_cast<uint32_t>(uint64_t(pair.at(0))),
                             .record = *Digest::FromText(std::string_view(pair.at(1)))});
  }
  for (auto [record, reasons] : object(value["excluded"])) {
    ExcludedRun run{*Digest::FromText(record), {}};
    for (element reason : array(reasons)) run.reasons.emplace_back(std::string_view(reason));
    cohort.excluded.push_back(std::move(run));
  }
  return cohort;
}

std::string TextOf(const Cohort& cohort) {
  std::string text = cohort.source_native ? "native\n" : "\n";
  for (const RankedRun& run : cohort.ranked) {
    text += std::to_string(run.rank) + " " + run.record.ToText() + "\n";
  }
  for (const ExcludedRun& run : cohort.excluded) {
    text += run.record.ToText();
    for (const std::string& reason : run.reasons) text += " " + reason;
    text += "\n";
  }
  return text;
}

TEST_P(KernelIndexGolden, Cohorts) {
  std::map<std::string, std::string> cohorts, expected;
  for (const auto& [key, members] : source_.Cohorts()) {
    const Cohort cohort = RankCohort(members);
    cohorts[key.ToText()] = TextOf(cohort);
    EXPECT_EQ(testing::RanksOf(cohort), testing::NaiveRanks(members)) << key.ToText();
  }
  for (auto [key, cohort] : object(Expected("cohorts"))) {
    expected[std::string(key)] = TextOf(ExpectedCohort(cohort));
  }
  EXPECT_EQ(cohorts, expected);
}

TEST_P(KernelIndexGolden, EvidenceLevels) {
  using Row = std::pair<std::string, std::vector<uint64_t>>;
  std::map<std::string, Row> levels, expected;
  const std::map<Digest, std::vector<uint64_t>> naive = testing::NaiveCounted(source_);
  for (size_t i = 0; i < source_.replay().records().size(); ++i) {
    const Digest& record = source_.replay().records().RecordAt(i);
    const auto evidence = EvidenceOf(source_, record);
    ASSERT_TRUE(evidence.ok());
    if (!evidence->has_value()) continue;
    const std::vector<uint64_t> counted = testing::CountedIn(**evidence);
    levels[record.ToText()] = {std::string(EvidenceLevelName((*evidence)->level)), counted};
    const auto naively = naive.find(record);
    EXPECT_EQ(counted, naively == naive.end() ? std::vector<uint64_t>() : naively->second);
  }
  for (auto [record, value] : object(Expected("evidence"))) {
    Row& row = expected[std::string(record)];
    row.first = std::string_view(value["level"]);
    for (element index : array(value["verifications"])) row.second.push_back(uint64_t(index));
  }
  EXPECT_EQ(levels, expected);
}

// The reasons that the log of an honest life shows, each told by its entry.
TEST(KernelIndexGoldenLog, WhyTheOthersDoNotCount) {
  const testing::GoldenLog log = testing::LoadGoldenLog("log");
  testing::ReplaySource source([&](const Digest& d) { return log.Content(d.ToHex()); });
  for (const Said& said : testing::ReadGoldenLog(log)) source.Add(said).IgnoreError();
  std::map<uint64_t, std::string> reasons;
  for (const auto& [record, run] : source.Runs()) {
    const Evidence evidence = **EvidenceOf(source, record);
    for (const JudgedVerification& judged : evidence.verifications) {
      reasons[judged.verification.index.value()] = judged.reason;
    }
  }
  const std::map<uint64_t, std::string> expected = {
      {36, ""},
      {37, ""},
      {38, ""},
      {39, "OWN_RECORD"},
      {40, "NOT_LATEST"},
      {41, "OUTCOME_FAILED"},
      {42, ""},
      {43, "RERUN_TAKEN"},
      {44, "NOT_RUNNER"},
      {45, "RERUN_OTHER_WORKLOAD"},
      {46, "RERUN_NOT_PUBLISHED"},
      {47, "RERUN_RETRACTED"},
      {49, "NOT_LATEST"},
      {50, ""},
      {51, "RERUN_IS_RECORD"},
      {159, "DISPUTED"},
  };
  EXPECT_EQ(reasons, expected);
}

INSTANTIATE_TEST_SUITE_P(All, KernelIndexGolden, ::testing::ValuesIn(testing::kGoldenLogs),
                         [](const auto& suite) {
                           std::string name(suite.param);
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace stele::kernelindex
