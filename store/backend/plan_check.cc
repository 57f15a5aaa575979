#include "store/backend/plan_check.h"

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::store {
namespace {

// Entries follow the base without a gap and reach the new head.
absl::Status CheckEntries(const CommitPlan& plan) {
  uint64_t next = plan.base_size.value();
  for (const EntryRow& row : plan.entries) {
    if (row.index.value() != next) {
      return absl::InvalidArgumentError(
          Concat("a plan has entry ", row.index.value(), " where entry ", next, " comes next"));
    }
    ++next;
  }
  if (plan.head.size.value() != next || plan.entries.empty()) {
    return absl::InvalidArgumentError(Concat("a plan of ", plan.entries.size(),
                                             " entries from size ", plan.base_size.value(),
                                             " has a head of size ", plan.head.size.value()));
  }
  return absl::OkStatus();
}

absl::Status CheckRowIndexes(const CommitPlan& plan) {
  auto within = [&](EntryIndex index) {
    return index.value() >= plan.base_size.value() && index.value() < plan.head.size.value();
  };
  bool good = true;
  for (const ReplayRow& row : plan.replays) good = good && within(row.index);
  for (const PublicationRow& row : plan.publications) good = good && within(row.index);
  for (const SubjectRow& row : plan.subjects) good = good && within(row.index);
  uint64_t last = 0;
  for (const KeyEvent& event : plan.key_events) {
    good = good && within(event.index) && event.index.value() >= last;
    last = event.index.value();
  }
  if (good) return absl::OkStatus();
  return absl::InvalidArgumentError("a plan has a row of an entry that is not in it");
}

}  // namespace

absl::Status CheckPlan(const std::optional<Head>& head, const CommitPlan& plan) {
  const TreeSize size = head ? head->size : TreeSize(0);
  const Hash root = head ? head->root : EmptyRoot();
  if (plan.base_size != size || plan.base_root != root) {
    return absl::FailedPreconditionError(
        Concat("a plan on size ", plan.base_size.value(), " and root ", plan.base_root.ToHex(),
               " does not fit the head, size ", size.value(), " and root ", root.ToHex()));
  }
  if (absl::Status status = CheckEntries(plan); !status.ok()) return status;
  return CheckRowIndexes(plan);
}

absl::Status CheckNamed(const ArtifactRow& named, const std::optional<StagedArtifact>& staged,
                        const std::optional<ArtifactRow>& stored) {
  if (stored && stored->size == named.size) return absl::OkStatus();
  if (!stored && staged && staged->whole && staged->size == named.size) return absl::OkStatus();
  return absl::InvalidArgumentError(Concat("a plan names the artifact ", named.digest.ToText(),
                                           " of ", named.size,
                                           " bytes, which is not staged whole"));
}

absl::Status RefusePoisoned(const absl::Status& cause) {
  const bool full = ReasonOf(cause) == reason::kDiskFull;
  return Refuse(absl::StatusCode::kFailedPrecondition, full ? reason::kDiskFull : reason::kReadOnly,
                "",
                Concat("the store takes no writes since one failed (", cause.ToString(),
                       "): reads go on; close and reopen it"));
}

}  // namespace stele::store
