#include "store/indexer/valid_entry.h"

#include <utility>
#include <variant>

#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/statement/entry.h"

namespace stele::store {
namespace {

bool HasRows(const Statement& statement) {
  switch (statement.type) {
    case StatementType::kPublication:
    case StatementType::kVerification:
      return true;
    case StatementType::kWithholding:
      return !std::get<Withholding>(statement.predicate).withheld;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<std::optional<ValidEntry>> ReadValidEntry(const Snapshot& log, const EntryRow& row) {
  const std::optional<ValidEntry> none;
  const absl::StatusOr<Entry> entry = ParseLeaf(row.leaf);
  if (!entry.ok()) return none;
  const auto* envelope = std::get_if<StoredEnvelope>(&entry->body);
  if (envelope == nullptr) return none;  // none of these types is detached
  absl::StatusOr<Statement> statement = ParseStatement(envelope->payload, log.head()->origin);
  if (!statement.ok() || !HasRows(*statement)) return none;
  STELE_ASSIGN_OR_RETURN(const std::optional<EntryIndex> valid,
                         log.FindReplay({Sha256(envelope->payload), envelope->key}));
  if (valid != row.index) return none;
  return std::optional<ValidEntry>(
      {row.index, envelope->key, entry->logged, *std::move(statement)});
}

}  // namespace stele::store
