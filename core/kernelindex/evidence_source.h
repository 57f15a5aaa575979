// What the evidence level asks of a log: implemented over a whole log's replay, and over an index
// on disk. Every answer is of one and the same moment of the log.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/kernelindex/record_facts.h"

namespace stele::kernelindex {

// A valid entry of type verification.
struct LoggedVerification {
  EntryIndex index;
  Digest record;
  KeyId signer;
  bool passed = false;
  Digest rerun;
  bool by_runner = false;  // at its own index its signer's role was runner: no stronger one either
  bool disputed = false;   // by a revocation, seen from the head
};

// Errors are those of the storage behind it (UNAVAILABLE, DATA_LOSS) and are passed on; what is not
// there is no error. Asked from one thread at a time.
class EvidenceSource {
 public:
  virtual ~EvidenceSource() = default;

  // Of any digest: one that was never published has the default facts.
  virtual absl::StatusOr<RecordFacts> FactsOf(const Digest& record) const = 0;
  // By a valid publication at any index, disputed or not.
  virtual absl::StatusOr<bool> HasPublished(const KeyId& key, const Digest& record) const = 0;
  // Every one about the record, ascending by index, disputed ones too.
  virtual absl::StatusOr<std::vector<LoggedVerification>> VerificationsAbout(
      const Digest& record) const = 0;
  // Every one, about whatever record, that cites `rerun`; ascending, disputed ones too.
  virtual absl::StatusOr<std::vector<LoggedVerification>> VerificationsCiting(
      const Digest& rerun) const = 0;
};

}  // namespace stele::kernelindex
