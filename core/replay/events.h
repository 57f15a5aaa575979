// The events that are not about keys: policy, withholding, log keys (rules 15, 32). Disputed ones
// are as if absent, as the entry table sees disputes at the moment of the question.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/replay/entry_table.h"

namespace stele {

// Two-valued events about one subject: open or closed, withheld or restored.
class SwitchEvents {
 public:
  void Add(Ordinal entry, bool on) { events_.push_back({entry, on}); }
  // Of the latest that counts: its index (kNoEvent), and whether it switched on (false if none).
  EventIndex Latest(const EntryTable& entries) const;
  bool IsOn(const EntryTable& entries) const;

 private:
  struct Event {
    Ordinal entry;
    bool on;
  };
  const Event* Find(const EntryTable& entries) const;
  std::vector<Event> events_;
};

// The withholdings, by digest.
class WithholdingTable {
 public:
  void Add(Ordinal entry, DigestTable::Id digest, bool withheld);
  EventIndex Latest(const EntryTable& entries, std::optional<DigestTable::Id> digest) const;
  bool IsWithheld(const EntryTable& entries, std::optional<DigestTable::Id> digest) const;
  // Ascending by number.
  std::vector<DigestTable::Id> Withheld(const EntryTable& entries) const;

 private:
  absl::flat_hash_map<DigestTable::Id, SwitchEvents> events_;
};

// A key that signs checkpoints of size n with from ≤ n and, once retired, n ≤ until.
struct LogKeySpan {
  NoteVerifier key;
  TreeSize from;
  std::optional<TreeSize> until;
  bool Current(TreeSize size) const { return from <= size && (!until || size <= *until); }
};

class LogKeyTable {
 public:
  void AddGenesis(const NoteVerifier& key) { genesis_ = key; }
  void Add(Ordinal entry, const LogKey& event) { events_.push_back({entry, event}); }
  // All that count, that of genesis first, then in log order.
  std::vector<LogKeySpan> Keys(const EntryTable& entries) const;
  // LOG_KEY_RANGE, LOG_KEY_KNOWN, LOG_KEY_UNKNOWN (FAILED_PRECONDITION).
  absl::Status Check(const EntryTable& entries, EntryIndex index, const LogKey& event) const;

 private:
  struct Event {
    Ordinal entry;
    LogKey event;
  };
  std::optional<NoteVerifier> genesis_;
  std::vector<Event> events_;
};

}  // namespace stele
