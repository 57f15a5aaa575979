#include "store/log/receipts.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"
#include "store/log/kept_envelope.h"

namespace stele::store {
namespace {

// Inline or kept as content. Also while it is withheld: it is compared and not shown.
absl::StatusOr<std::optional<StoredEnvelope>> EnvelopeOf(const Entry& entry,
                                                         const Snapshot& snapshot) {
  if (const auto* envelope = std::get_if<StoredEnvelope>(&entry.body)) return *envelope;
  return ReadKeptEnvelope(snapshot, std::get<DetachedEnvelope>(entry.body));
}

Receipt MakeAppendedReceipt(EntryIndex index, CommitPlan& plan) {
  EntryRow& row = plan.entries[index.value() - plan.base_size.value()];
  return {.index = index, .leaf = std::move(row.leaf), .proof = {}, .replayed = false};
}

}  // namespace

absl::StatusOr<Receipt> MakeReplayReceipt(const SnapshotReader& reader, EntryIndex index,
                                          std::string_view payload) {
  STELE_ASSIGN_OR_RETURN(EntryRow row, reader.Entry(index));
  STELE_ASSIGN_OR_RETURN(const Entry entry, ParseLeaf(row.leaf));
  STELE_ASSIGN_OR_RETURN(const std::optional<StoredEnvelope> envelope,
                         EnvelopeOf(entry, reader.snapshot()));
  if (!envelope || envelope->payload != payload) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  absl::StrCat("the replay index names entry ", index.value(),
                               ", which holds another statement; check the store (stele fsck)"));
  }
  return Receipt{.index = index, .leaf = std::move(row.leaf), .proof = {}, .replayed = true};
}

std::vector<absl::StatusOr<Receipt>> MakeReceipts(const SnapshotReader& reader,
                                                  absl::Span<AdmittedStatement* const> batch,
                                                  PlannedBatch& planned) {
  std::vector<absl::StatusOr<Receipt>> results;
  results.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    const Decision& decision = planned.decisions[i];
    if (const auto* appended = std::get_if<Appended>(&decision)) {
      results.push_back(MakeAppendedReceipt(appended->index, planned.plan));
    } else if (const auto* replayed = std::get_if<Replayed>(&decision)) {
      results.push_back(MakeReplayReceipt(reader, replayed->index, batch[i]->payload));
    } else {
      results.push_back(std::get<absl::Status>(decision));
    }
  }
  return results;
}

}  // namespace stele::store
