#include "store/index/said_entry.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/statement/entry.h"

namespace stele::store {
namespace {

absl::Status Unreadable(EntryIndex index, const absl::Status& why) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat("entry ", index.value(), " cannot be read: ", std::string(why.message())));
}

absl::Status ReadPayload(const Reader& reader, const std::string& payload, SaidEntry& said) {
  absl::StatusOr<Statement> statement = ParseStatement(payload, reader.head().origin);
  if (!statement.ok()) return Unreadable(said.index, statement.status());
  said.predicate_type = statement->predicate_type;
  said.statement = *std::move(statement);
  return absl::OkStatus();
}

absl::Status ReadDetached(const Reader& reader, const DetachedEnvelope& detached, SaidEntry& said) {
  said.signer = detached.key;
  said.predicate_type = detached.predicate_type;
  said.withheld_by = reader.WithheldBy(detached.digest);
  if (said.withheld_by) return absl::OkStatus();
  absl::StatusOr<std::string> content = reader.Content(detached.digest);
  if (absl::IsNotFound(content.status())) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(content.status());
  const absl::StatusOr<StoredEnvelope> envelope = ParseKeptEnvelope(*content);
  if (!envelope.ok()) return Unreadable(said.index, envelope.status());
  return ReadPayload(reader, envelope->payload, said);
}

// The event about `key` at this index; null if there is none.
const KeyEvent* EventAt(const KeyRing& ring, const KeyId& key, EventIndex index) {
  if (index == kNoEvent) return nullptr;
  const EntryIndex wanted(static_cast<uint64_t>(index.value()));
  const auto& events = ring.events();
  auto at =
      std::lower_bound(events.begin(), events.end(), wanted,
                       [](const KeyEvent& event, EntryIndex other) { return event.index < other; });
  for (; at != events.end() && at->index == wanted; ++at) {
    if (at->subject == key) return &*at;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<SaidEntry> ReadSaidEntry(const Reader& reader, EntryIndex index) {
  STELE_ASSIGN_OR_RETURN(const EntryRow row, reader.Entry(index));
  absl::StatusOr<Entry> entry = ParseLeaf(row.leaf);
  if (!entry.ok()) return Unreadable(index, entry.status());
  SaidEntry said;
  said.index = index;
  said.logged = entry->logged;
  said.authority = entry->authority;
  if (const auto* detached = std::get_if<DetachedEnvelope>(&entry->body)) {
    STELE_RETURN_IF_ERROR(ReadDetached(reader, *detached, said));
    return said;
  }
  const auto& envelope = std::get<StoredEnvelope>(entry->body);
  said.signer = envelope.key;
  STELE_RETURN_IF_ERROR(ReadPayload(reader, envelope.payload, said));
  return said;
}

std::optional<Role> RoleAt(const KeyRing& ring, const KeyId& signer, EventIndex authority) {
  const KeyEvent* event = EventAt(ring, signer, authority);
  if (event == nullptr) return std::nullopt;
  switch (event->kind) {
    case KeyEvent::Kind::kGenesisOperator:
      return Role::kOperator;
    case KeyEvent::Kind::kGenesisRecovery:
      return Role::kRecovery;
    case KeyEvent::Kind::kIntroduction:
      return Role::kGuest;
    case KeyEvent::Kind::kGrant:
      return event->role;
    case KeyEvent::Kind::kRevoke:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace stele::store
