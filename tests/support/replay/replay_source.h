// A whole log as a source of evidence: the replay says what counts, and every body is read.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/kernelindex/cohort.h"
#include "core/kernelindex/evidence_source.h"
#include "core/replay/replay.h"

namespace stele::testing {

class ReplaySource : public kernelindex::EvidenceSource {
 public:
  // The bytes that are kept under a digest; nothing if there are none.
  using Content = std::function<std::optional<std::string>(const Digest&)>;

  explicit ReplaySource(Content content) : content_(std::move(content)) {}
  // The next entry; what Replay::Add says.
  absl::Status Add(const Said& said);

  const Replay& replay() const { return replay_; }
  // Every valid one, ascending, as it looks from the head.
  std::vector<kernelindex::LoggedVerification> Verifications() const;
  // Every published run that can be read.
  std::map<Digest, kernelindex::BenchmarkRun> Runs() const;
  // Nothing if the workload is missing, or the run has no cohort for another reason.
  std::optional<Digest> KeyOf(const kernelindex::BenchmarkRun& run) const;
  std::map<Digest, std::vector<kernelindex::CohortMember>> Cohorts() const;

  kernelindex::RecordFacts Facts(const Digest& record) const;
  bool Published(const KeyId& key, const Digest& record) const;

  absl::StatusOr<kernelindex::RecordFacts> FactsOf(const Digest& record) const override {
    return Facts(record);
  }
  absl::StatusOr<bool> HasPublished(const KeyId& key, const Digest& record) const override {
    return Published(key, record);
  }
  absl::StatusOr<std::vector<kernelindex::LoggedVerification>> VerificationsAbout(
      const Digest& record) const override;
  absl::StatusOr<std::vector<kernelindex::LoggedVerification>> VerificationsCiting(
      const Digest& rerun) const override;

 private:
  Content content_;
  Replay replay_;
  std::vector<kernelindex::LoggedVerification> verifications_;
};

}  // namespace stele::testing
