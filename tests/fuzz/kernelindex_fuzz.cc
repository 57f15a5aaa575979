// Any bytes as identity bodies, one a line. What is read of each is the same when read again, and
// only of canonical bodies; the runs among them rank the same in every order tried, none is lost.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "core/crypto/sha256.h"
#include "core/kernelindex/cohort.h"
#include "core/record/manifest.h"

namespace {

using stele::kernelindex::BenchmarkRun;
using stele::kernelindex::Cohort;
using stele::kernelindex::CohortMember;
using stele::kernelindex::Profile;
using stele::kernelindex::RankedRun;

void Demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void CheckRun(const BenchmarkRun& run,
              const std::optional<stele::kernelindex::Workload>& workload) {
  Demand(run.primary.value.has_value() || run.primary.key == "none", "a metric without a value");
  Demand(!run.confidence95 || run.confidence95->low <= run.confidence95->high, "no interval");
  if (!workload) return;
  const bool whole = run.workload && run.protocol && run.environment;
  Demand(ComparisonKey(run, *workload).has_value() == whole, "a key without its digests");
}

void CheckRanks(std::vector<CohortMember> members) {
  const Cohort cohort = RankCohort(members);
  Demand(cohort.ranked.size() + cohort.excluded.size() == members.size(), "a run is lost");
  std::reverse(members.begin(), members.end());
  const Cohort again = RankCohort(members);
  uint32_t rank = 1;
  for (size_t i = 0; i < cohort.ranked.size(); ++i) {
    const RankedRun& run = cohort.ranked[i];
    Demand(run.rank == again.ranked[i].rank && run.record == again.ranked[i].record,
           "ranks depend on the order");
    Demand(run.rank == rank || run.rank == rank + 1, "ranks have a gap");
    rank = run.rank;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::map<stele::Digest, CohortMember> members;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::optional<Profile> profile = stele::kernelindex::ReadProfile(line);
    if (!profile) continue;
    const auto manifest = stele::ParseManifest(line);
    Demand(manifest.ok() && manifest->identity == line, "read of what is no identity body");
    if (!profile->run) continue;
    CheckRun(*profile->run, profile->workload);
    const stele::Digest record = stele::Sha256(line);
    members[record] = MemberOf(record, *profile->run, {.published = true, .counts = true});
  }
  std::vector<CohortMember> given;
  for (const auto& [record, member] : members) given.push_back(member);
  CheckRanks(std::move(given));
  return 0;
}
