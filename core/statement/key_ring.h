// Who may say what at a log position (formats §4 "Roles", "Authorised or void"; rules 15 to 21).
//
// Fed with the valid key events of the log in ascending order; answers for the position just above
// the last one fed. Memory grows with the number of key events, not with the log. A value type:
// copy it to try an event. One thread at a time, or const.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "core/base/strong_int.h"
#include "core/crypto/key.h"
#include "core/statement/statement.h"

namespace stele {

struct KeyEvent {
  enum class Kind { kGenesisOperator, kGenesisRecovery, kGrant, kRevoke, kIntroduction };
  EntryIndex index;
  Kind kind = Kind::kGrant;
  KeyId subject;  // the key that the event is about
  KeyId signer;
  EventIndex authority;      // the entry's
  std::optional<Role> role;  // of a grant
  std::string spki;          // empty for a revocation
  std::string name;          // of a grant
  std::string reason;        // of a revocation
  std::optional<EntryIndex> compromised_since;
};

// A key as the ring sees it at the head.
struct KeyState {
  KeyId key;
  std::optional<Role> role;  // nothing: revoked, or all its events are disputed
  EventIndex latest;         // latest key event about it that counts
  std::string name;          // of the latest grant that counts
};

// What to pass over where only a part of the log is shown (rule 34): the events left out may be
// those that a condition is about.
struct KeyRingRules {
  bool after = true;          // STALE_AFTER
  bool last_operator = true;  // LAST_OPERATOR
};

class KeyRing {
 public:
  explicit KeyRing(KeyRingRules rules = {}) : rules_(rules) {}

  // Events come in ascending index (several may share one index: genesis). The caller has checked
  // that the event is valid.
  void Add(const KeyEvent& event);
  const std::vector<KeyEvent>& events() const { return events_; }

  // The key that a valid event brought, disputed or not; null if none did (UNKNOWN_KEY).
  const PublicKey* FindKey(const KeyId& key) const;
  // Latest key event about `key` that is not disputed: the `authority` of what it signs next, and
  // the `after` of the next event about it. kNoEvent if there is none.
  EventIndex Latest(const KeyId& key) const;
  // What the latest event that counts makes of the key; nothing if revoked or unknown. Genesis'
  // recovery keys are kRecovery.
  std::optional<Role> RoleOf(const KeyId& key) const;
  bool IsRecoveryKey(const KeyId& key) const;
  // All keys that any event is about, by key id.
  std::vector<KeyState> Keys() const;

  // The revocation that disputes the statement at `index` by `signer` with `authority`, seen from
  // the head; nothing if it is not disputed (rule 20).
  std::optional<EntryIndex> DisputedBy(EntryIndex index, const KeyId& signer,
                                       EventIndex authority) const;

  // Is this grant or revocation by `signer` allowed at `index` (the next one)? Refusals, in the
  // order of rule 22: ROLE (PERMISSION_DENIED), STALE_AFTER (ABORTED), then RECOVERY_KEY,
  // COMPROMISED_SINCE, LAST_OPERATOR (FAILED_PRECONDITION).
  absl::Status CheckGrant(EntryIndex index, const KeyId& signer, const KeyGrant& grant) const;
  absl::Status CheckRevoke(EntryIndex index, const KeyId& signer, const KeyId& subject,
                           const KeyRevoke& revoke) const;

  // OK if `signer`'s role is at least `least`; else ROLE (PERMISSION_DENIED).
  absl::Status CheckRole(const KeyId& signer, Role least) const;

 private:
  void Recompute();
  // The revocation that disputes the event at this index; nothing for none, 0 and kNoEvent.
  std::optional<EntryIndex> DisputeOf(EventIndex event) const;
  absl::Status CheckKeyEventRole(const KeyId& signer, bool allowed_to_recovery) const;
  absl::Status CheckAfter(EventIndex after, const KeyId& subject) const;
  absl::Status CheckSomebodyLeft(const KeyEvent& event) const;

  KeyRingRules rules_;
  bool has_recovery_keys_ = false;  // genesis named some: they stay for ever
  std::vector<KeyEvent> events_;
  absl::flat_hash_map<KeyId, PublicKey> keys_;
  std::vector<size_t> disputing_;  // undisputed revocations with compromisedSince, newest first
  std::vector<std::optional<EntryIndex>> disputed_by_;  // parallel to events_
  absl::flat_hash_map<KeyId, size_t> latest_;           // into events_, undisputed only
};

// The key events that a valid statement at `index` stands for; empty for other types.
std::vector<KeyEvent> KeyEventsOf(const Statement& statement, EntryIndex index, const KeyId& signer,
                                  EventIndex authority);

}  // namespace stele
