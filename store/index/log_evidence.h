// What the evidence level asks (core/kernelindex/evidence_source.h), answered from one moment of
// the log and the index. Verifications are those below what the index has applied: all others that
// cite the same reruns are known there.
#pragma once

#include <vector>

#include "core/kernelindex/evidence_source.h"
#include "store/index/index_store.h"
#include "store/read/reader.h"

namespace stele::store {

// Borrows both. One thread at a time.
class LogEvidence final : public kernelindex::EvidenceSource {
 public:
  LogEvidence(const Reader& reader, const IndexSnapshot& index) : reader_(reader), index_(index) {}

  absl::StatusOr<kernelindex::RecordFacts> FactsOf(const Digest& record) const override;
  absl::StatusOr<bool> HasPublished(const KeyId& key, const Digest& record) const override;
  absl::StatusOr<std::vector<kernelindex::LoggedVerification>> VerificationsAbout(
      const Digest& record) const override;
  absl::StatusOr<std::vector<kernelindex::LoggedVerification>> VerificationsCiting(
      const Digest& rerun) const override;

 private:
  absl::StatusOr<kernelindex::LoggedVerification> ReadVerification(EntryIndex index) const;

  const Reader& reader_;
  const IndexSnapshot& index_;
};

}  // namespace stele::store
