// Which verifications count, for EvidenceOf: remembers what the source said, and asks it about each
// record and each rerun once.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "core/kernelindex/evidence.h"

namespace stele::kernelindex {

// The run of a record that is one and can be read; else null.
const BenchmarkRun* RunIn(const RecordFacts& facts);

// Holds a reference to the source. One thread at a time. Errors are the source's.
class VerificationJudge {
 public:
  explicit VerificationJudge(const EvidenceSource& source) : source_(source) {}

  // Stays valid as long as the judge.
  absl::StatusOr<const RecordFacts*> FactsOf(const Digest& record);
  // Every valid one about the record.
  absl::StatusOr<std::vector<JudgedVerification>> JudgeAbout(const Digest& record);

 private:
  struct About {
    std::vector<LoggedVerification> all;            // ascending
    absl::flat_hash_map<KeyId, EntryIndex> latest;  // by key, of those not disputed
  };
  absl::StatusOr<const About*> AboutOf(const Digest& record);
  absl::StatusOr<JudgedVerification> Judge(const LoggedVerification& verification);
  // All reasons but RERUN_TAKEN: what other records' verifications have no part in.
  absl::StatusOr<JudgedVerification> JudgeAlone(const LoggedVerification& verification);
  absl::StatusOr<std::string_view> FaultOfRecord(const LoggedVerification& verification);
  absl::StatusOr<std::string_view> FaultOfRerun(const LoggedVerification& verification,
                                                const BenchmarkRun& run);
  // The verification that the rerun serves; nothing if none.
  absl::StatusOr<std::optional<EntryIndex>> TakerOf(const Digest& rerun);

  const EvidenceSource& source_;
  // Behind pointers: what was handed out stays where it is.
  absl::flat_hash_map<Digest, std::unique_ptr<const RecordFacts>> facts_;
  absl::flat_hash_map<Digest, std::unique_ptr<const About>> about_;
  absl::flat_hash_map<Digest, std::optional<EntryIndex>> takers_;
};

}  // namespace stele::kernelindex
