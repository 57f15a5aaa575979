// Which verifications count, as rule 37 says it: one pass over the whole log, every record at once.
// A second opinion, which shares nothing with the product but what it reads of a body.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/kernelindex/evidence.h"
#include "tests/support/replay/replay_source.h"

namespace stele::testing {

// Run → the entries that count, for every run that has any.
inline std::map<Digest, std::vector<uint64_t>> NaiveCounted(const ReplaySource& log) {
  const std::vector<kernelindex::LoggedVerification> all = log.Verifications();
  std::map<std::pair<Digest, KeyId>, EntryIndex> latest;
  for (const auto& v : all) {
    if (!v.disputed) latest[{v.record, v.signer}] = v.index;
  }
  const std::map<Digest, kernelindex::BenchmarkRun> runs = log.Runs();
  std::set<Digest> taken;
  std::map<Digest, std::vector<uint64_t>> counted;
  for (const auto& v : all) {
    if (v.disputed || !v.passed || !v.by_runner) continue;
    if (latest.at({v.record, v.signer}) != v.index) continue;
    if (v.record == v.rerun || !runs.contains(v.record) || !runs.contains(v.rerun)) continue;
    const kernelindex::BenchmarkRun& run = runs.at(v.record);
    const kernelindex::BenchmarkRun& rerun = runs.at(v.rerun);
    if (!run.implementation || !run.workload || !run.protocol) continue;
    if (run.implementation != rerun.implementation || run.workload != rerun.workload ||
        run.protocol != rerun.protocol) {
      continue;
    }
    if (log.Published(v.signer, v.record) || log.Published(v.signer, *run.implementation)) continue;
    if (!log.replay().OwnerOf(v.rerun) || log.replay().RetractionOf(v.rerun)) continue;
    if (!taken.insert(v.rerun).second) continue;
    counted[v.record].push_back(v.index.value());
  }
  return counted;
}

// What the product counts, one record at a time.
inline std::vector<uint64_t> CountedIn(const kernelindex::Evidence& evidence) {
  std::vector<uint64_t> counted;
  for (const auto& judged : evidence.verifications) {
    if (judged.reason.empty()) counted.push_back(judged.verification.index.value());
  }
  return counted;
}

}  // namespace stele::testing
