#include "core/citation/closure.h"

#include <algorithm>
#include <map>
#include <optional>

namespace stele {
namespace {

using Kind = KeyEvent::Kind;

LoggedEntry EntryOf(const KeyEvent& event) { return {event.index, event.signer, event.authority}; }

class Closure {
 public:
  explicit Closure(const CitationSources& sources)
      : sources_(sources), events_(sources.ring.events()) {}

  void AddAll(const std::vector<LoggedEntry>& entries) {
    for (const LoggedEntry& entry : entries) Add(entry);
  }

  void Add(const LoggedEntry& entry) {
    if (!shown_.emplace(entry.index, entry).second) return;
    const KeyEvent* const own = FindEvent(entry.index);
    const KeyEvent* const authority =
        entry.authority == kNoEvent
            ? nullptr
            : FindEvent(EntryIndex(static_cast<uint64_t>(entry.authority.value())));
    if (authority != nullptr) Add(EntryOf(*authority));
    const bool guest = (own != nullptr && own->kind == Kind::kIntroduction) ||
                       (authority != nullptr && authority->kind == Kind::kIntroduction);
    if (guest) AddPolicyBelow(entry.index);
    if (own != nullptr && own->kind == Kind::kRevoke) AddSubjectOfRecovery(*own);
  }

  // Until nothing is added: a revocation that is shown brings its own chain.
  void AddRevocations() {
    for (size_t before = 0; before != shown_.size();) {
      before = shown_.size();
      KeyRing ring;
      for (const KeyEvent& event : events_) {
        ring.Add(event);
        if (event.compromised_since && DisputesSomething(ring, event)) Add(EntryOf(event));
      }
    }
  }

  std::vector<EntryIndex> Indexes() const {
    std::vector<EntryIndex> indexes;
    for (const auto& [index, entry] : shown_) indexes.push_back(index);
    return indexes;
  }

 private:
  // The first of those at this index; null if it is no key event.
  const KeyEvent* FindEvent(EntryIndex index) const {
    const auto at = FirstEventFrom(index);
    return at == events_.end() || at->index != index ? nullptr : &*at;
  }

  std::vector<KeyEvent>::const_iterator FirstEventFrom(EntryIndex index) const {
    return std::lower_bound(events_.begin(), events_.end(), index,
                            [](const KeyEvent& event, EntryIndex i) { return event.index < i; });
  }

  // What an entry at this index saw.
  KeyRing RingBelow(EntryIndex index) const {
    KeyRing ring;
    for (auto event = events_.begin(); event != FirstEventFrom(index); ++event) ring.Add(*event);
    return ring;
  }

  void AddPolicyBelow(EntryIndex index) {
    std::optional<KeyRing> ring;  // costs something, and most logs have one policy
    const auto& policies = sources_.policies;
    for (auto policy = policies.rbegin(); policy != policies.rend(); ++policy) {
      if (policy->index >= index) continue;
      if (!ring) ring = RingBelow(index);
      if (ring->DisputedBy(policy->index, policy->signer, policy->authority)) continue;
      return Add(*policy);
    }
  }

  // A recovery key may revoke only who is operator at that moment.
  void AddSubjectOfRecovery(const KeyEvent& revocation) {
    if (!sources_.ring.IsRecoveryKey(revocation.signer)) return;
    const EventIndex latest = RingBelow(revocation.index).Latest(revocation.subject);
    if (latest == kNoEvent) return;
    Add(EntryOf(*FindEvent(EntryIndex(static_cast<uint64_t>(latest.value())))));
  }

  // As seen from just above the revocation, the newest in `ring`.
  bool DisputesSomething(const KeyRing& ring, const KeyEvent& revocation) const {
    const auto end = shown_.lower_bound(revocation.index);
    return std::any_of(shown_.begin(), end, [&](const auto& shown) {
      const LoggedEntry& entry = shown.second;
      return ring.DisputedBy(entry.index, entry.signer, entry.authority) == revocation.index;
    });
  }

  const CitationSources& sources_;
  const std::vector<KeyEvent>& events_;
  std::map<EntryIndex, LoggedEntry> shown_;
};

}  // namespace

std::vector<EntryIndex> EntriesToCite(const CitationSources& sources) {
  if (sources.ring.events().empty()) return {};
  Closure closure(sources);
  closure.Add(EntryOf(sources.ring.events().front()));
  closure.AddAll(sources.about);
  closure.AddAll(sources.log_keys);
  closure.AddAll(sources.withholdings);
  closure.AddAll(sources.publications_by_retractors);
  closure.AddRevocations();
  return closure.Indexes();
}

}  // namespace stele
