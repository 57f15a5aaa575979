#include "core/statement/key_ring.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stele {
namespace {

std::optional<Role> RoleAfter(const KeyEvent& event) {
  switch (event.kind) {
    case KeyEvent::Kind::kGenesisOperator:
      return Role::kOperator;
    case KeyEvent::Kind::kGenesisRecovery:
      return Role::kRecovery;
    case KeyEvent::Kind::kGrant:
      return event.role;
    case KeyEvent::Kind::kIntroduction:
      return Role::kGuest;
    case KeyEvent::Kind::kRevoke:
      return std::nullopt;
  }
  return std::nullopt;
}

// `revocation` names this statement's signer and covers its position.
bool Covers(const KeyEvent& revocation, EntryIndex index, const KeyId& signer) {
  return revocation.compromised_since && revocation.subject == signer &&
         index >= *revocation.compromised_since && index < revocation.index;
}

}  // namespace

void KeyRing::Add(const KeyEvent& event) {
  if (!event.spki.empty()) {
    if (auto key = PublicKey::FromSpki(event.spki); key.ok()) {
      keys_.emplace(event.subject, *std::move(key));
    }
  }
  if (event.kind == KeyEvent::Kind::kGenesisRecovery) has_recovery_keys_ = true;
  events_.push_back(event);
  disputed_by_.emplace_back();
  if (event.compromised_since) {
    Recompute();
  } else {
    // Nothing below disputes what is valid here: its authority is undisputed and its index above
    // every revocation.
    latest_[event.subject] = events_.size() - 1;
  }
}

// Rule 20. From newest to oldest, so that whether a revocation is itself disputed is known when its
// turn comes: only a newer one can dispute it. Within one revocation a single ascending pass finds
// the whole cascade, as an authority lies below what it allowed. An event that a newer revocation
// disputes keeps that one: what the older would take below itself, the newer took already.
void KeyRing::Recompute() {
  std::fill(disputed_by_.begin(), disputed_by_.end(), std::nullopt);
  disputing_.clear();
  for (size_t r = events_.size(); r-- > 0;) {
    const KeyEvent& revocation = events_[r];
    if (!revocation.compromised_since || disputed_by_[r]) continue;
    disputing_.push_back(r);
    for (size_t e = 0; e < r; ++e) {
      const KeyEvent& event = events_[e];
      if (disputed_by_[e] || event.index == EntryIndex(0)) continue;
      if (Covers(revocation, event.index, event.signer) ||
          DisputeOf(event.authority) == revocation.index) {
        disputed_by_[e] = revocation.index;
      }
    }
  }
  latest_.clear();
  for (size_t e = 0; e < events_.size(); ++e) {
    if (!disputed_by_[e]) latest_[events_[e].subject] = e;
  }
}

std::optional<EntryIndex> KeyRing::DisputeOf(EventIndex event) const {
  if (event <= EventIndex(0)) return std::nullopt;
  const EntryIndex index(static_cast<uint64_t>(event.value()));
  const auto below = [](const KeyEvent& e, EntryIndex i) { return e.index < i; };
  const auto it = std::lower_bound(events_.begin(), events_.end(), index, below);
  if (it == events_.end() || it->index != index) return std::nullopt;
  return disputed_by_[static_cast<size_t>(it - events_.begin())];
}

std::optional<EntryIndex> KeyRing::DisputedBy(EntryIndex index, const KeyId& signer,
                                              EventIndex authority) const {
  if (index == EntryIndex(0) || disputing_.empty()) return std::nullopt;
  std::optional<EntryIndex> through = DisputeOf(authority);
  // A revocation that was undone for a while leaves room above it for statements of that authority.
  if (through && index >= *through) through = std::nullopt;
  for (size_t r : disputing_) {
    if (through && events_[r].index <= *through) break;
    if (Covers(events_[r], index, signer)) return events_[r].index;
  }
  return through;
}

const PublicKey* KeyRing::FindKey(const KeyId& key) const {
  const auto it = keys_.find(key);
  return it == keys_.end() ? nullptr : &it->second;
}

EventIndex KeyRing::Latest(const KeyId& key) const {
  const auto it = latest_.find(key);
  if (it == latest_.end()) return kNoEvent;
  return EventIndex(static_cast<int64_t>(events_[it->second].index.value()));
}

std::optional<Role> KeyRing::RoleOf(const KeyId& key) const {
  const auto it = latest_.find(key);
  return it == latest_.end() ? std::nullopt : RoleAfter(events_[it->second]);
}

bool KeyRing::IsRecoveryKey(const KeyId& key) const { return RoleOf(key) == Role::kRecovery; }

std::vector<KeyState> KeyRing::Keys() const {
  std::map<KeyId, KeyState> states;
  for (size_t e = 0; e < events_.size(); ++e) {
    const KeyEvent& event = events_[e];
    KeyState& state = states[event.subject];
    if (event.kind == KeyEvent::Kind::kGrant && !disputed_by_[e]) state.name = event.name;
  }
  std::vector<KeyState> keys;
  keys.reserve(states.size());
  for (auto& [key, state] : states) {
    state.key = key;
    state.role = RoleOf(key);
    state.latest = Latest(key);
    keys.push_back(std::move(state));
  }
  return keys;
}

}  // namespace stele
