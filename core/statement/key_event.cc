#include "core/statement/key_ring.h"

namespace stele {
namespace {

using Kind = KeyEvent::Kind;

KeyEvent EventAbout(const PublicKey& key, Kind kind) {
  KeyEvent event;
  event.kind = kind;
  event.subject = key.id();
  event.spki = key.spki();
  return event;
}

struct Events {
  const Statement& statement;

  std::vector<KeyEvent> operator()(const Genesis& genesis) const {
    std::vector<KeyEvent> events = {EventAbout(genesis.operator_key, Kind::kGenesisOperator)};
    for (const PublicKey& key : genesis.recovery_keys) {
      events.push_back(EventAbout(key, Kind::kGenesisRecovery));
    }
    return events;
  }
  std::vector<KeyEvent> operator()(const KeyGrant& grant) const {
    KeyEvent event = EventAbout(grant.key, Kind::kGrant);
    event.role = grant.role;
    event.name = grant.name;
    return {event};
  }
  std::vector<KeyEvent> operator()(const KeyRevoke& revoke) const {
    KeyEvent event;
    event.kind = Kind::kRevoke;
    event.subject = statement.subjects.front().digest;
    event.reason = revoke.reason;
    event.compromised_since = revoke.compromised_since;
    return {event};
  }
  std::vector<KeyEvent> operator()(const KeyIntroduction& introduction) const {
    return {EventAbout(introduction.key, Kind::kIntroduction)};
  }
  template <class Other>
  std::vector<KeyEvent> operator()(const Other&) const {
    return {};
  }
};

}  // namespace

std::vector<KeyEvent> KeyEventsOf(const Statement& statement, EntryIndex index, const KeyId& signer,
                                  EventIndex authority) {
  std::vector<KeyEvent> events = std::visit(Events{statement}, statement.predicate);
  for (KeyEvent& event : events) {
    event.index = index;
    event.signer = signer;
    event.authority = authority;
  }
  return events;
}

}  // namespace stele
