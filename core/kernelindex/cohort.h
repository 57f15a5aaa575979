// Rank in a cohort: the runs of one comparison key, lower is better (formats §8, rule 36). Pure.
//
// Worked example: 95 with the interval [90,101], 100 with [99,102], 100 without an interval. The
// first opens group 1. Of the two 100s the one with the smaller digest comes next: with the
// interval it would join group 1, without it would not. Say it joins. The third ties with the
// second by value, but not with the first: it opens group 2. Ranks 1, 1, 2. In the other order of
// digests they are 1, 2, 2. Never does the order in which the runs are given matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/kernelindex/profile.h"
#include "core/kernelindex/record_facts.h"

namespace stele::kernelindex {

// A run as ranking sees it.
struct CohortMember {
  Digest record;
  std::string status;  // as BenchmarkRun::status
  std::optional<double> value;
  std::optional<Interval> confidence95;
  bool source_native = false;
  bool retracted = false;
  bool superseded = false;
  bool disputed = false;
};

CohortMember MemberOf(const Digest& record, const BenchmarkRun& run, const RecordFacts& facts);

struct RankedRun {
  uint32_t rank = 0;  // from 1; the number of its group
  Digest record;
  double value = 0;
  // Against the leader: how much more, and how many times as much. Nothing where that is no finite
  // number; no ratio unless the leader's value is above 0.
  std::optional<double> difference;
  std::optional<double> ratio;
};

struct ExcludedRun {
  Digest record;
  // Every one that applies: STATUS_<X>, RETRACTED, SUPERSEDED, DISPUTED, MISSING_PRIMARY_METRIC.
  std::vector<std::string> reasons;
};

struct Cohort {
  bool source_native = false;         // a ranked run is: runs tie on equal values alone
  std::vector<RankedRun> ranked;      // by value, then record; ranks ascend without a gap
  std::vector<ExcludedRun> excluded;  // by record

  // The ranked run that comes first; others may share rank 1 with it. Null if none is ranked.
  const RankedRun* leader() const { return ranked.empty() ? nullptr : &ranked.front(); }
};

// Why a run is not ranked; empty if it is.
std::vector<std::string> ExclusionsOf(const CohortMember& member);

// Ranks the members of one cohort, each record given once, in any order. A withheld run is in no
// cohort: it is not given. Takes n log n steps.
Cohort RankCohort(absl::Span<const CohortMember> members);

}  // namespace stele::kernelindex
