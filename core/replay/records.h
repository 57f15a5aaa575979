// Which digests are stored, who published which record, who took it back (rules 12, 13, 25 to 27).
//
// Fed with valid publications and retractions in order; the questions are answered as the entry
// table sees disputes at that moment. A record costs 16 bytes, a publication of it 12.
#pragma once

#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "core/replay/entry_table.h"

namespace stele {

struct RecordPublication {
  Ordinal entry = 0;
  Digest manifest;
};

// What the retractions of a record come to.
struct RetractionState {
  EntryIndex index;                     // of the first one that retracts it
  std::optional<Digest> superseded_by;  // of the first one of them that names a successor
};

class RecordTable {
 public:
  RecordTable(DigestTable& digests, const EntryTable& entries)
      : digests_(&digests), entries_(&entries) {}

  void AddPublication(Ordinal entry, absl::Span<const Subject> subjects);
  // `by_operator`: its signer is operator at its own position.
  void AddRetraction(Ordinal entry, absl::Span<const Subject> subjects,
                     const std::optional<Digest>& superseded_by, bool by_operator);

  bool IsStored(const Digest& digest) const;
  bool IsPublished(const Digest& record) const;
  // By a publication that counts.
  bool IsPublishedBy(const Digest& record, DigestTable::Id signer) const;

  // Every record that was published, or retracted where its publication is not shown.
  size_t size() const { return rows_.size(); }
  const Digest& RecordAt(size_t i) const { return (*digests_)[rows_[i].digest]; }

  // All valid ones, ascending; empty for what is no record.
  std::vector<RecordPublication> PublicationsOf(const Digest& record) const;
  std::optional<KeyId> OwnerOf(const Digest& record) const;
  std::optional<RetractionState> RetractionOf(const Digest& record) const;
  // Whose publications are withdrawn, in the order of the retractions, each once.
  std::vector<KeyId> WithdrawnBy(const Digest& record) const;

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Row {
    DigestTable::Id digest = 0;
    uint32_t first = kNone, last = kNone;  // into publications_
    uint32_t retraction = kNone;           // the latest, into retractions_
  };
  struct PublicationRow {
    Ordinal entry = 0;
    DigestTable::Id manifest = 0;
    uint32_t next = kNone;
  };
  struct RetractionRow {
    Ordinal entry = 0;
    uint32_t before = kNone;
    DigestTable::Id superseded_by = kNone;
    bool by_operator = false;
  };

  const Row* FindRow(const Digest& record) const;
  Row& RowOf(DigestTable::Id digest);
  uint32_t& SlotOf(DigestTable::Id digest);
  // Those that count, ascending.
  std::vector<RetractionRow> RetractionsOf(const Row& row) const;
  // The entry of the first publication that counts.
  std::optional<Ordinal> FirstCounting(const Row& row) const;
  bool Retracts(const RetractionRow& retraction, std::optional<Ordinal> owner) const;

  DigestTable* digests_;
  const EntryTable* entries_;
  std::vector<uint32_t> slots_;  // by digest: 0 not stored, 1 stored and no record, else row + 2
  std::vector<Row> rows_;
  std::vector<PublicationRow> publications_;
  std::vector<RetractionRow> retractions_;
};

}  // namespace stele
