#include "tests/support/replay/replay_source.h"

#include <algorithm>

#include "core/crypto/sha256.h"

namespace stele::testing {

using kernelindex::BenchmarkRun;
using kernelindex::CohortMember;
using kernelindex::LoggedVerification;
using kernelindex::RecordFacts;

absl::Status ReplaySource::Add(const Said& said) {
  const bool by_runner = replay_.ring().RoleOf(said.signer) == Role::kRunner;
  absl::Status status = replay_.Add(said);
  const auto* verification = std::get_if<Verification>(&said.statement.predicate);
  if (status.ok() && verification != nullptr) {
    verifications_.push_back({said.index, said.statement.subjects.front().digest, said.signer,
                              verification->passed, verification->rerun, by_runner});
  }
  return status;
}

std::vector<LoggedVerification> ReplaySource::Verifications() const {
  std::vector<LoggedVerification> found = verifications_;
  for (LoggedVerification& verification : found) {
    verification.disputed = !replay_.Counts(verification.index);
  }
  return found;
}

RecordFacts ReplaySource::Facts(const Digest& record) const {
  RecordFacts facts;
  facts.published = replay_.records().IsPublished(record);
  facts.counts = replay_.OwnerOf(record).has_value();
  if (const auto retraction = replay_.RetractionOf(record)) {
    facts.retracted = true;
    facts.superseded = retraction->superseded_by.has_value();
  }
  facts.withheld = replay_.IsWithheld(record);
  const std::optional<std::string> body = facts.withheld ? std::nullopt : content_(record);
  if (body && Sha256(*body) == record) facts.profile = kernelindex::ReadProfile(*body);
  return facts;
}

bool ReplaySource::Published(const KeyId& key, const Digest& record) const {
  const std::vector<RecordPublication> all = replay_.records().PublicationsOf(record);
  return std::any_of(all.begin(), all.end(), [&](const RecordPublication& publication) {
    return replay_.SignerOf(EntryIndex(publication.entry)) == key;
  });
}

absl::StatusOr<std::vector<LoggedVerification>> ReplaySource::VerificationsAbout(
    const Digest& record) const {
  std::vector<LoggedVerification> found = Verifications();
  std::erase_if(found, [&](const LoggedVerification& v) { return v.record != record; });
  return found;
}

absl::StatusOr<std::vector<LoggedVerification>> ReplaySource::VerificationsCiting(
    const Digest& rerun) const {
  std::vector<LoggedVerification> found = Verifications();
  std::erase_if(found, [&](const LoggedVerification& v) { return v.rerun != rerun; });
  return found;
}

std::map<Digest, BenchmarkRun> ReplaySource::Runs() const {
  std::map<Digest, BenchmarkRun> runs;
  for (size_t i = 0; i < replay_.records().size(); ++i) {
    const Digest& record = replay_.records().RecordAt(i);
    const RecordFacts facts = Facts(record);
    if (facts.readable() && facts.profile->run) runs[record] = *facts.profile->run;
  }
  return runs;
}

std::optional<Digest> ReplaySource::KeyOf(const BenchmarkRun& run) const {
  if (!run.workload) return std::nullopt;
  const RecordFacts workload = Facts(*run.workload);
  if (!workload.readable() || !workload.profile->workload) return std::nullopt;
  return kernelindex::ComparisonKey(run, *workload.profile->workload);
}

std::map<Digest, std::vector<CohortMember>> ReplaySource::Cohorts() const {
  std::map<Digest, std::vector<CohortMember>> cohorts;
  for (const auto& [record, run] : Runs()) {
    if (const auto key = KeyOf(run)) {
      cohorts[*key].push_back(kernelindex::MemberOf(record, run, Facts(record)));
    }
  }
  return cohorts;
}

}  // namespace stele::testing
