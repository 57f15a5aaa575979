// Made-up cohorts: ties, exclusions, and that the order in which runs are given never matters.
#include "core/kernelindex/cohort.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/crypto/sha256.h"
#include "tests/core/kernelindex/naive_rank.h"

namespace stele::kernelindex {
namespace {

using testing::NaiveRanks;
using testing::RanksOf;
using Members = std::vector<CohortMember>;

// Records are numbered: a smaller number is a smaller digest.
Digest Record(uint8_t number) {
  Digest record;
  record.data()[0] = number;
  return record;
}

CohortMember Passed(uint8_t number, double value, std::optional<Interval> interval = std::nullopt) {
  return {.record = Record(number), .status = "passed", .value = value, .confidence95 = interval};
}
CohortMember Native(uint8_t number, double value, std::optional<Interval> interval = std::nullopt) {
  CohortMember member = Passed(number, value, interval);
  member.source_native = true;
  return member;
}

// "1:95 1:100 2:100": rank and value.
std::string Text(const Cohort& cohort) {
  std::string text;
  for (const RankedRun& run : cohort.ranked) {
    text += (text.empty() ? "" : " ") + std::to_string(run.rank) + ":" +
            std::to_string(static_cast<int64_t>(run.value));
  }
  return text;
}

// Ranked runs and their comparisons, exclusions with their reasons, the flag.
std::string Whole(const Cohort& cohort) {
  std::string text = cohort.source_native ? "native" : "not native";
  for (const RankedRun& run : cohort.ranked) {
    text += "\n" + std::to_string(run.rank) + " " + run.record.ToText() + " " +
            std::to_string(run.value) + " " + std::to_string(run.difference.value_or(NAN)) + " " +
            std::to_string(run.ratio.value_or(NAN));
  }
  for (const ExcludedRun& run : cohort.excluded) {
    text += "\n" + run.record.ToText();
    for (const std::string& reason : run.reasons) text += " " + reason;
  }
  return text;
}

// The text of Text(), the same for every order of the members, and as the naive way has it.
std::string InEveryOrder(Members members) {
  const Cohort first = RankCohort(members);
  EXPECT_EQ(RanksOf(first), NaiveRanks(members));
  const auto by_record = [](const CohortMember& a, const CohortMember& b) {
    return a.record < b.record;
  };
  std::sort(members.begin(), members.end(), by_record);
  do {
    EXPECT_EQ(Whole(RankCohort(members)), Whole(first));
  } while (std::next_permutation(members.begin(), members.end(), by_record));
  return Text(first);
}

TEST(Cohort, EmptyAndAlone) {
  EXPECT_EQ(InEveryOrder({}), "");
  EXPECT_EQ(RankCohort({}).leader(), nullptr);
  EXPECT_EQ(InEveryOrder({Passed(1, 5)}), "1:5");
  EXPECT_EQ(RankCohort({Passed(1, 5)}).leader()->record, Record(1));
}

TEST(Cohort, AChainOfOverlapsDependsOnDigestsAndNotOnOrder) {
  const Interval low{90, 101}, high{99, 102};
  EXPECT_EQ(InEveryOrder({Passed(9, 95, low), Passed(1, 100, high), Passed(2, 100)}),
            "1:95 1:100 2:100");
  EXPECT_EQ(InEveryOrder({Passed(9, 95, low), Passed(2, 100, high), Passed(1, 100)}),
            "1:95 2:100 2:100");
}

TEST(Cohort, ARunJoinsOnlyIfItTiesWithEveryMember) {
  EXPECT_EQ(InEveryOrder({Passed(1, 10, Interval{8, 12}), Passed(2, 13, Interval{11, 15}),
                          Passed(3, 16, Interval{14, 18})}),
            "1:10 1:13 2:16");
  EXPECT_EQ(InEveryOrder({Passed(1, 10, Interval{0, 100}), Passed(2, 13, Interval{12, 14}),
                          Passed(3, 16, Interval{15, 17}), Passed(4, 18, Interval{14, 30})}),
            "1:10 1:13 2:16 2:18");
}

TEST(Cohort, IntervalsThatTouchOverlap) {
  EXPECT_EQ(InEveryOrder({Passed(1, 10, Interval{9, 11}), Passed(2, 12, Interval{11, 13})}),
            "1:10 1:12");
  EXPECT_EQ(InEveryOrder({Passed(1, 10, Interval{9, 10.9}), Passed(2, 12, Interval{11, 13})}),
            "1:10 2:12");
}

TEST(Cohort, IntervalsNeedNotHoldTheirValues) {
  EXPECT_EQ(InEveryOrder({Passed(1, 10, Interval{100, 101}), Passed(2, 12, Interval{100, 100}),
                          Passed(3, 13, Interval{1, 2})}),
            "1:10 1:12 2:13");
}

TEST(Cohort, OneIntervalIsNotEnough) {
  EXPECT_EQ(InEveryOrder({Passed(1, 10, Interval{0, 100}), Passed(2, 11)}), "1:10 2:11");
}

TEST(Cohort, EqualValuesTieWithoutIntervalsAndWithApart) {
  EXPECT_EQ(InEveryOrder({Passed(3, 7), Passed(1, 7), Passed(2, 7), Passed(4, 8)}),
            "1:7 1:7 1:7 2:8");
  EXPECT_EQ(
      InEveryOrder({Passed(1, 7, Interval{1, 2}), Passed(2, 7, Interval{8, 9}), Passed(3, 7)}),
      "1:7 1:7 1:7");
  const Cohort cohort = RankCohort({Passed(3, 7), Passed(1, 7), Passed(2, 7)});
  EXPECT_EQ(cohort.leader()->record, Record(1));
}

TEST(Cohort, OneSourceNativeMemberTakesIntervalsAwayFromAll) {
  const Interval wide{0, 100};
  EXPECT_EQ(InEveryOrder({Passed(1, 10, wide), Passed(2, 11, wide)}), "1:10 1:11");
  EXPECT_EQ(InEveryOrder({Passed(1, 10, wide), Passed(2, 11, wide), Native(3, 50)}),
            "1:10 2:11 3:50");
  EXPECT_EQ(InEveryOrder({Passed(1, 10, wide), Passed(2, 10, wide), Native(3, 10)}),
            "1:10 1:10 1:10");
  EXPECT_TRUE(RankCohort({Passed(1, 10, wide), Native(3, 50)}).source_native);
}

TEST(Cohort, ASourceNativeMemberThatIsExcludedTakesNothing) {
  const Interval wide{0, 100};
  CohortMember native = Native(3, 50);
  native.retracted = true;
  EXPECT_EQ(InEveryOrder({Passed(1, 10, wide), Passed(2, 11, wide), native}), "1:10 1:11");
  EXPECT_FALSE(RankCohort({Passed(1, 10, wide), native}).source_native);
}

TEST(Cohort, EverySetOfExclusions) {
  for (int set = 0; set < 32; ++set) {
    CohortMember member = Passed(1, 5);
    std::vector<std::string> expected;
    const auto exclude = [&](int bit, const char* reason) {
      if ((set >> bit & 1) != 0) expected.emplace_back(reason);
      return (set >> bit & 1) != 0;
    };
    if (exclude(0, "STATUS_FAILED")) member.status = "failed";
    member.retracted = exclude(1, "RETRACTED");
    member.superseded = exclude(2, "SUPERSEDED");
    member.disputed = exclude(3, "DISPUTED");
    if (exclude(4, "MISSING_PRIMARY_METRIC")) member.value = std::nullopt;
    const Cohort cohort = RankCohort({member, Passed(2, 6)});
    EXPECT_EQ(Text(cohort), set == 0 ? "1:5 2:6" : "1:6") << set;
    if (set == 0) continue;
    ASSERT_EQ(cohort.excluded.size(), 1u) << set;
    EXPECT_EQ(cohort.excluded[0].record, Record(1));
    EXPECT_EQ(cohort.excluded[0].reasons, expected);
  }
}

TEST(Cohort, TheWordOfAStatus) {
  const std::pair<const char*, const char*> kWords[] = {
      {"", "STATUS_MISSING"},
      {"compile_error", "STATUS_COMPILE_ERROR"},
      {"Passed", "STATUS_PASSED"},
      {"passed ", "STATUS_PASSED_"},
      {"out of memory: 2", "STATUS_OUT_OF_MEMORY__2"},
      {"AZaz09", "STATUS_AZAZ09"},
      {"@[`{/:", "STATUS_______"},
      {"\xC3\xA9", "STATUS__"},                           // é
      {"a\xE2\x82\xAC\xF0\x9F\x98\x80z", "STATUS_A__Z"},  // €, a face
  };
  for (const auto& [status, word] : kWords) {
    CohortMember member = Passed(1, 5);
    member.status = status;
    EXPECT_EQ(ExclusionsOf(member), std::vector<std::string>{word}) << status;
  }
}

TEST(Cohort, TheFactsOfARecordExcludeIt) {
  BenchmarkRun run;
  run.status = "passed";
  run.primary = {"latency:mean:ns", 3};
  run.confidence95 = {1, 2};
  run.source_native = true;
  RecordFacts facts{.published = true, .counts = true};
  const CohortMember member = MemberOf(Record(4), run, facts);
  EXPECT_EQ(member.record, Record(4));
  EXPECT_EQ(member.value, 3);
  EXPECT_EQ(member.confidence95, (Interval{1, 2}));
  EXPECT_TRUE(member.source_native);
  EXPECT_TRUE(ExclusionsOf(member).empty());
  facts = {.published = true, .counts = false, .retracted = true, .superseded = true};
  run.status = "x";
  run.primary = {};
  EXPECT_EQ(ExclusionsOf(MemberOf(Record(4), run, facts)),
            (std::vector<std::string>{"STATUS_X", "RETRACTED", "SUPERSEDED", "DISPUTED",
                                      "MISSING_PRIMARY_METRIC"}));
}

TEST(Cohort, ComparedWithTheLeader) {
  const Cohort cohort = RankCohort({Passed(1, 8), Passed(2, 10), Passed(3, 4)});
  EXPECT_EQ(cohort.leader()->record, Record(3));
  EXPECT_EQ(cohort.ranked[0].difference, 0);
  EXPECT_EQ(cohort.ranked[0].ratio, 1);
  EXPECT_EQ(cohort.ranked[1].difference, 4);
  EXPECT_EQ(cohort.ranked[1].ratio, 2);
  EXPECT_EQ(cohort.ranked[2].difference, 6);
  EXPECT_EQ(cohort.ranked[2].ratio, 2.5);
}

TEST(Cohort, ComparisonsThatAreNoFiniteNumberAreMissing) {
  const double most = std::numeric_limits<double>::max();
  const Cohort apart = RankCohort({Passed(1, -most), Passed(2, most)});
  EXPECT_FALSE(apart.ranked[1].difference.has_value());
  EXPECT_FALSE(apart.ranked[1].ratio.has_value());
  const Cohort tiny =
      RankCohort({Passed(1, std::numeric_limits<double>::denorm_min()), Passed(2, most)});
  EXPECT_EQ(tiny.ranked[1].difference, most);
  EXPECT_FALSE(tiny.ranked[1].ratio.has_value());
  const Cohort zero = RankCohort({Passed(1, 0), Passed(2, 5)});
  EXPECT_EQ(zero.ranked[1].difference, 5);
  EXPECT_FALSE(zero.ranked[0].ratio.has_value());
  EXPECT_FALSE(zero.ranked[1].ratio.has_value());
}

// A cohort of few distinct values and bounds, so that everything meets everything.
Members RandomMembers(std::mt19937& random, size_t count, int native_in) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Members members;
  for (size_t i = 0; i < count; ++i) {
    CohortMember member = Passed(static_cast<uint8_t>(random()), 10 + below(6));
    member.record.data()[1] = static_cast<uint8_t>(i);  // no record twice
    if (below(4) != 0) {
      const double low = 7 + below(8);
      member.confidence95 = Interval{low, low + below(5)};
    }
    member.source_native = below(native_in) == 0;
    if (below(12) == 0) member.status = "runtime_error";
    if (below(12) == 0) member.retracted = true;
    if (below(12) == 0) member.value = std::nullopt;
    members.push_back(member);
  }
  return members;
}

TEST(Cohort, EveryPermutationOfSmallOnes) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    InEveryOrder(RandomMembers(random, 1 + random() % 5, 8));
  }
}

TEST(Cohort, LargeOnesAsTheNaiveWayHasThem) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const int native_in = round % 2 == 0 ? 1000 : 10;
    Members members = RandomMembers(random, 1 + random() % 200, native_in);
    const Cohort cohort = RankCohort(members);
    ASSERT_EQ(RanksOf(cohort), NaiveRanks(members));
    ASSERT_EQ(cohort.ranked.size() + cohort.excluded.size(), members.size());
    std::shuffle(members.begin(), members.end(), random);
    ASSERT_EQ(Whole(RankCohort(members)), Whole(cohort));
  }
}

}  // namespace
}  // namespace stele::kernelindex
