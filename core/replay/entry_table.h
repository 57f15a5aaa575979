// The entries that a replay has taken in, 24 bytes each, and which of them count.
//
// Entries are named by ordinal: the how-manieth was added. In a whole log that is the index; where
// only a part of it is shown (rule 34) indexes have gaps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_int.h"
#include "core/replay/digest_table.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"

namespace stele {

using Ordinal = uint32_t;

struct EntryRow {
  EntryIndex index;
  EventIndex authority;
  DigestTable::Id signer = 0;
  uint8_t reason = 0;  // why it is void or malformed: ReasonTable; 0 if it is valid
  StatementType type = StatementType::kForeign;
  bool malformed = false;
  bool detached = false;
};

// Reason words under small numbers, from 1; 0 is none.
class ReasonTable {
 public:
  uint8_t Intern(std::string_view word);
  const std::string& operator[](uint8_t id) const { return words_[id]; }

 private:
  std::vector<std::string> words_ = {""};
};

class EntryTable {
 public:
  explicit EntryTable(const KeyRing& ring, const DigestTable& digests)
      : ring_(&ring), digests_(&digests) {}

  Ordinal Add(const EntryRow& row) {
    rows_.push_back(row);
    return static_cast<Ordinal>(rows_.size() - 1);
  }
  void Reserve(size_t entries) { rows_.reserve(entries); }
  size_t size() const { return rows_.size(); }
  EntryRow& operator[](Ordinal ordinal) { return rows_[ordinal]; }
  const EntryRow& operator[](Ordinal ordinal) const { return rows_[ordinal]; }
  std::optional<Ordinal> Find(EntryIndex index) const;
  const KeyId& SignerOf(Ordinal ordinal) const { return (*digests_)[rows_[ordinal].signer]; }

  // The revocation that disputes this valid entry, seen from the head (rule 20).
  std::optional<EntryIndex> DisputedBy(Ordinal ordinal) const {
    const EntryRow& row = rows_[ordinal];
    return ring_->DisputedBy(row.index, (*digests_)[row.signer], row.authority);
  }
  // Of a valid entry: it counts (rule 15).
  bool Counts(Ordinal ordinal) const { return !DisputedBy(ordinal); }

 private:
  const KeyRing* ring_;
  const DigestTable* digests_;
  std::vector<EntryRow> rows_;
};

}  // namespace stele
