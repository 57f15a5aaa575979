#include "core/kernelindex/cohort.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

namespace stele::kernelindex {
namespace {

// The group that is open: does the next run, of a value not below any in it, tie with every member?
// Those of the same value tie whatever their intervals; of those below only the widest demands of
// all matter.
class Group {
 public:
  explicit Group(bool source_native) : source_native_(source_native) {}

  bool Joins(const CohortMember& run) {
    if (same_.count > 0 && *run.value != value_) {
      below_ = Together(below_, same_);
      same_ = {};
    }
    return below_.count == 0 || (!source_native_ && OverlapsAll(below_, run.confidence95));
  }
  void Add(const CohortMember& run) {
    value_ = *run.value;
    same_ = Together(same_, OfOne(run.confidence95));
  }

 private:
  // Some intervals, by what one more has to reach to overlap each of them.
  struct Bounds {
    size_t count = 0;
    bool complete = true;  // every one has an interval
    double highest_low = -std::numeric_limits<double>::infinity();
    double lowest_high = std::numeric_limits<double>::infinity();
  };
  static Bounds OfOne(const std::optional<Interval>& interval) {
    if (!interval) return {.count = 1, .complete = false};
    return {1, true, interval->low, interval->high};
  }
  static Bounds Together(const Bounds& a, const Bounds& b) {
    return {a.count + b.count, a.complete && b.complete, std::max(a.highest_low, b.highest_low),
            std::min(a.lowest_high, b.lowest_high)};
  }
  static bool OverlapsAll(const Bounds& bounds, const std::optional<Interval>& interval) {
    return bounds.complete && interval && interval->high >= bounds.highest_low &&
           interval->low <= bounds.lowest_high;
  }

  bool source_native_;
  double value_ = 0;  // of `same_`
  Bounds below_, same_;
};

std::string StatusReason(std::string_view status) {
  std::string reason = "STATUS_";
  if (status.empty()) return reason + "MISSING";
  for (const char c : status) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // of a character of several bytes the first one stands
    const char capital = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    const bool kept = (capital >= 'A' && capital <= 'Z') || (capital >= '0' && capital <= '9');
    reason += kept ? capital : '_';
  }
  return reason;
}

std::optional<double> Finite(double number) {
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

std::vector<RankedRun> Rank(const std::vector<const CohortMember*>& sorted, bool source_native) {
  std::vector<RankedRun> ranked;
  Group group(source_native);
  uint32_t rank = 1;
  for (const CohortMember* run : sorted) {
    if (!group.Joins(*run)) {
      group = Group(source_native);
      ++rank;
    }
    group.Add(*run);
    const double value = *run->value, best = *sorted.front()->value;
    ranked.push_back({rank, run->record, value, Finite(value - best),
                      best > 0 ? Finite(value / best) : std::nullopt});
  }
  return ranked;
}

}  // namespace

CohortMember MemberOf(const Digest& record, const BenchmarkRun& run, const RecordFacts& facts) {
  return {.record = record,
          .status = run.status,
          .value = run.primary.value,
          .confidence95 = run.confidence95,
          .source_native = run.source_native,
          .retracted = facts.retracted,
          .superseded = facts.superseded,
          .disputed = !facts.counts};
}

std::vector<std::string> ExclusionsOf(const CohortMember& member) {
  std::vector<std::string> reasons;
  if (member.status != kPassed) reasons.push_back(StatusReason(member.status));
  if (member.retracted) reasons.emplace_back("RETRACTED");
  if (member.superseded) reasons.emplace_back("SUPERSEDED");
  if (member.disputed) reasons.emplace_back("DISPUTED");
  if (!member.value) reasons.emplace_back("MISSING_PRIMARY_METRIC");
  return reasons;
}

Cohort RankCohort(absl::Span<const CohortMember> members) {
  Cohort cohort;
  std::vector<const CohortMember*> rankable;
  for (const CohortMember& member : members) {
    std::vector<std::string> reasons = ExclusionsOf(member);
    if (reasons.empty()) {
      rankable.push_back(&member);
      cohort.source_native |= member.source_native;
    } else {
      cohort.excluded.push_back({member.record, std::move(reasons)});
    }
  }
  std::sort(rankable.begin(), rankable.end(), [](const CohortMember* a, const CohortMember* b) {
    return std::tie(*a->value, a->record) < std::tie(*b->value, b->record);
  });
  std::sort(cohort.excluded.begin(), cohort.excluded.end(),
            [](const ExcludedRun& a, const ExcludedRun& b) { return a.record < b.record; });
  cohort.ranked = Rank(rankable, cohort.source_native);
  return cohort;
}

}  // namespace stele::kernelindex
