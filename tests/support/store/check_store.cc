#include "tests/support/store/check_store.h"

#include <string>

#include "core/base/status_macros.h"
#include "store/fsck/snapshot_check.h"
#include "store/read/snapshot_reader.h"

namespace stele::testing {

absl::Status CheckStore(const store::Snapshot& snapshot, const NoteVerifier& verifier) {
  std::string said;
  store::Findings findings([&](const store::Finding& finding) { said += finding.Text() + "\n"; });
  STELE_ASSIGN_OR_RETURN(const store::SnapshotCheck check,
                         store::CheckSnapshot(snapshot, std::nullopt, findings, {}));
  if (findings.count() > 0) return absl::InternalError(said);
  for (const LogKeySpan& span : check.log_keys) {
    if (span.Current(check.size) && span.key.ToVkey() == verifier.ToVkey()) return absl::OkStatus();
  }
  return absl::InternalError("the log's key is another");
}

absl::Status CheckStore(const store::Store& store) {
  STELE_ASSIGN_OR_RETURN(const auto reader, store.GetReader());
  const auto* over_snapshot = dynamic_cast<const store::SnapshotReader*>(reader.get());
  if (over_snapshot == nullptr) return absl::InternalError("a reader of an unknown kind");
  return CheckStore(over_snapshot->snapshot(), store.log_verifier());
}

}  // namespace stele::testing
