// Ranks as the rule says it, word for word and in quadratic time: a second opinion.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "core/kernelindex/cohort.h"

namespace stele::testing {

inline bool Ties(const kernelindex::CohortMember& a, const kernelindex::CohortMember& b,
                 bool source_native) {
  if (*a.value == *b.value) return true;
  if (source_native || !a.confidence95 || !b.confidence95) return false;
  return a.confidence95->low <= b.confidence95->high && b.confidence95->low <= a.confidence95->high;
}

// Record → rank, of those that are not excluded.
inline std::map<Digest, uint32_t> NaiveRanks(std::vector<kernelindex::CohortMember> members) {
  std::erase_if(members, [](const kernelindex::CohortMember& m) {
    return m.status != "passed" || m.retracted || m.superseded || m.disputed || !m.value;
  });
  const bool source_native =
      std::any_of(members.begin(), members.end(), [](const auto& m) { return m.source_native; });
  std::sort(members.begin(), members.end(), [](const auto& a, const auto& b) {
    return *a.value != *b.value ? *a.value < *b.value : a.record.ToText() < b.record.ToText();
  });
  std::map<Digest, uint32_t> ranks;
  std::vector<kernelindex::CohortMember> group;
  uint32_t rank = 1;
  for (const kernelindex::CohortMember& run : members) {
    const bool joins = std::all_of(group.begin(), group.end(), [&](const auto& member) {
      return Ties(run, member, source_native);
    });
    if (!joins) {
      group.clear();
      ++rank;
    }
    group.push_back(run);
    ranks[run.record] = rank;
  }
  return ranks;
}

inline std::map<Digest, uint32_t> RanksOf(const kernelindex::Cohort& cohort) {
  std::map<Digest, uint32_t> ranks;
  for (const kernelindex::RankedRun& run : cohort.ranked) ranks[run.record] = run.rank;
  return ranks;
}

}  // namespace stele::testing
