#include "server/rpc/log_answers.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/service_limits.h"

namespace stele::server {
namespace {

v1::KeyRole WireRole(const KeyState& key) {
  if (!key.role) return v1::KEY_ROLE_NONE;
  switch (*key.role) {
    case Role::kOperator:
      return v1::KEY_ROLE_OPERATOR;
    case Role::kRunner:
      return v1::KEY_ROLE_RUNNER;
    case Role::kPublisher:
      return v1::KEY_ROLE_PUBLISHER;
    case Role::kAttester:
      return v1::KEY_ROLE_ATTESTER;
    case Role::kGuest:
      return v1::KEY_ROLE_GUEST;
    case Role::kRecovery:
      return v1::KEY_ROLE_RECOVERY;
  }
  return v1::KEY_ROLE_UNSPECIFIED;
}

// A token is the hex of the last key id of the page before.
absl::StatusOr<std::optional<KeyId>> LastKey(const std::string& token) {
  if (token.empty()) return std::nullopt;
  std::optional<KeyId> last = KeyId::FromHex(token);
  if (!last) {
    return RefuseInput(reason::kWrongValue, "/page_token", "no page token of this server");
  }
  return last;
}

void FillKey(const KeyRing& ring, const KeyState& state, v1::Key& key) {
  key.set_key_id(std::string(state.key.bytes()));
  if (const PublicKey* known = ring.FindKey(state.key)) key.set_spki(known->spki());
  key.set_name(state.name);
  key.set_role(WireRole(state));
  key.set_latest_event(state.latest.value());
}

}  // namespace

void AnswerGetHead(const store::Reader& reader, v1::GetHeadResponse& response) {
  const store::Head& head = reader.head();
  response.set_checkpoint(head.checkpoint);
  response.set_tree_size(head.size.value());
  response.set_root(std::string(head.root.bytes()));
  response.set_last_logged_ms(head.last_logged.value());
}

absl::Status AnswerGetEntry(const store::Reader& reader, EntryIndex index,
                            v1::GetEntryResponse& response) {
  const uint64_t size = reader.head().size.value();
  if (index.value() >= size) {
    return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "/index",
                  Cat("the log has ", size, " entries, none at ", index.value()));
  }
  STELE_ASSIGN_OR_RETURN(store::EntryRow row, reader.Entry(index));
  STELE_ASSIGN_OR_RETURN(Proof proof, reader.Inclusion(index));
  response.set_leaf(std::move(row.leaf));
  for (const Hash& hash : proof) response.add_proof(std::string(hash.bytes()));
  response.set_checkpoint(reader.head().checkpoint);
  return absl::OkStatus();
}

absl::Status AnswerListKeys(const store::Reader& reader, const v1::ListKeysRequest& request,
                            v1::ListKeysResponse& response) {
  const int size = request.page_size() == 0 ? service_limits::kKeysPage : request.page_size();
  if (size < 0 || size > service_limits::kKeysPageMost) {
    return RefuseInput(reason::kWrongValue, "/page_size",
                       Cat("a page has 1 to ", service_limits::kKeysPageMost, " keys"));
  }
  STELE_ASSIGN_OR_RETURN(std::optional<KeyId> last, LastKey(request.page_token()));
  const KeyRing& ring = reader.ring();
  response.set_tree_size(reader.head().size.value());
  for (const KeyState& state : ring.Keys()) {
    if (last && state.key <= *last) continue;
    if (response.keys_size() == size) {
      auto before = KeyId::FromBytes(response.keys(size - 1).key_id());
      response.set_next_page_token(before->ToHex());
      break;
    }
    FillKey(ring, state, *response.add_keys());
  }
  return absl::OkStatus();
}

absl::Status AnswerGetLatestEvents(const store::Reader& reader,
                                   const v1::GetLatestEventsRequest& request,
                                   v1::GetLatestEventsResponse& response) {
  const std::optional<Digest> subject = Digest::FromBytes(request.subject());
  if (!subject) {
    return RefuseInput(reason::kWrongValue, "/subject",
                       Cat("a digest has 32 bytes, this one ", request.subject().size()));
  }
  STELE_ASSIGN_OR_RETURN(const store::Reader::Subjects about, reader.SubjectsOf(*subject));
  EventIndex policy = kNoEvent, withholding = kNoEvent;
  for (size_t i = 0; i < about.rows.size(); ++i) {
    const EventIndex index(static_cast<int64_t>(about.rows[i].index.value()));
    if (about.disputed[i]) continue;
    if (about.rows[i].type == StatementType::kPolicy) policy = index;
    if (about.rows[i].type == StatementType::kWithholding) withholding = index;
  }
  response.set_key(reader.ring().Latest(*subject).value());
  response.set_policy(policy.value());
  response.set_withholding(withholding.value());
  response.set_tree_size(reader.head().size.value());
  return absl::OkStatus();
}

absl::Status FillEntries(const store::Reader& reader, EntryIndex begin, EntryIndex end,
                         v1::ListEntriesResponse& response) {
  size_t bytes = 0, count = 0;
  response.set_start(begin.value());
  response.clear_leaves();
  return reader.VisitEntries(begin, end, [&](store::EntryRow row) {
    bytes += row.leaf.size();
    response.add_leaves(std::move(row.leaf));
    return ++count < limits::kListEntries && bytes < limits::kListEntriesBytes;
  });
}

}  // namespace stele::server
