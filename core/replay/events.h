// The events that are not about keys: policy, withholding, log keys (rules 15, 32). Fed in
// ascending index with valid statements only; every question names the ring that says which of
// them are disputed, and those are as if absent. Memory grows with such events alone. A value; one
// thread at a time, or const.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"

namespace stele {

// Where an event stands and who made it: what a dispute is about.
struct EventPlace {
  EntryIndex index;
  KeyId signer;
  EventIndex authority;
};

// Two-valued events about one subject: open or closed, withheld or restored.
class SwitchEvents {
 public:
  void Add(const EventPlace& place, bool on) { events_.push_back({place, on}); }
  // Of the latest that counts: its index (kNoEvent), and whether it switched on (false if none).
  EventIndex Latest(const KeyRing& ring) const;
  bool IsOn(const KeyRing& ring) const;

 private:
  struct Event {
    EventPlace place;
    bool on;
  };
  const Event* Find(const KeyRing& ring) const;
  std::vector<Event> events_;
};

// A key that signs checkpoints of size n with from ≤ n and, once retired, n ≤ until.
struct LogKeySpan {
  NoteVerifier key;
  TreeSize from;
  std::optional<TreeSize> until;
  bool Current(TreeSize size) const { return from <= size && (!until || size <= *until); }
};

class LogEvents {
 public:
  // The types that are events here; genesis is one, for its log key.
  static bool Takes(StatementType type);
  // Nothing happens for other types.
  void Add(const EventPlace& place, const Statement& statement);

  EventIndex LatestPolicy(const KeyRing& ring) const { return policy_.Latest(ring); }
  bool OpenAttestations(const KeyRing& ring) const { return policy_.IsOn(ring); }

  // Whether anything was ever withheld.
  bool HasWithholdings() const { return !withholdings_.empty(); }
  EventIndex LatestWithholding(const KeyRing& ring, const Digest& digest) const;
  // The withholding that is in force; nothing if there is none.
  std::optional<EntryIndex> WithheldBy(const KeyRing& ring, const Digest& digest) const;
  bool IsWithheld(const KeyRing& ring, const Digest& digest) const {
    return WithheldBy(ring, digest).has_value();
  }
  // In no order.
  std::vector<Digest> Withheld(const KeyRing& ring) const;

  // All that count, that of genesis first, then in log order.
  std::vector<LogKeySpan> LogKeys(const KeyRing& ring) const;
  // LOG_KEY_RANGE, LOG_KEY_KNOWN, LOG_KEY_UNKNOWN (FAILED_PRECONDITION).
  absl::Status CheckLogKey(const KeyRing& ring, EntryIndex index, const LogKey& event) const;

 private:
  struct LogKeyEvent {
    EventPlace place;
    LogKey event;
  };
  SwitchEvents policy_;
  absl::flat_hash_map<Digest, SwitchEvents> withholdings_;
  std::optional<NoteVerifier> genesis_key_;
  std::vector<LogKeyEvent> log_keys_;
};

}  // namespace stele
