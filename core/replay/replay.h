// The replay: what follows from the entries of a log, for everybody, for ever (formats §4, §5,
// rules 12 to 32).
//
// Fed entry by entry in ascending index with what each says (core/replay/said.h); every question is
// answered as of the last entry fed. Pure, no I/O. Memory: 32 bytes for each distinct digest and
// some 60 for an entry with one record; at most 2^32 − 2 entries. One thread at a time, or const.
//
// Verdicts do not change as the log grows but for one thing: an entry whose envelope is withheld
// later becomes `withheld` and answers no replay from then on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "core/replay/detached_copies.h"
#include "core/replay/entry_table.h"
#include "core/replay/judge.h"
#include "core/replay/records.h"
#include "core/replay/said.h"
#include "core/statement/key_ring.h"

namespace stele {

enum class Verdict : uint8_t { kValid, kVoid, kWithheld, kMalformed };
// "valid", "void", "withheld", "malformed".
std::string_view VerdictName(Verdict verdict);

struct Judgement {
  Verdict verdict = Verdict::kValid;
  std::string reason;  // empty if valid
};

// How following supersededBy ended (rule 27).
enum class ChainEnd : uint8_t { kEnd, kCycle, kLimit };
std::string_view ChainEndName(ChainEnd end);  // "end", "cycle", "limit"

struct RecordRetraction {
  EntryIndex index;  // of the first retraction that retracts it
  std::optional<Digest> superseded_by;
  std::vector<Digest> chain;  // the successors, at most limits::kSuccessors
  ChainEnd chain_end = ChainEnd::kEnd;
};

struct EntryFault {
  EntryIndex index;
  std::string reason;
};

class Replay final : private LogBelow {
 public:
  explicit Replay(ReplayRules rules = {});
  Replay(const Replay&) = delete;  // its parts refer to each other
  Replay& operator=(const Replay&) = delete;
  ~Replay() override;

  // Judges and takes in the next entry; its index is above those before. What is returned is what
  // stands as of this entry: OK, or why it is void or malformed. An envelope that is missing is
  // MISSING_CONTENT here, whatever is withheld later.
  absl::Status Add(const Said& said);

  // Entries taken in.
  size_t size() const { return entries_.size(); }
  // The next key event, role, `after` and so on are judged by this.
  const KeyRing& ring() const override { return ring_; }

  // By position. Only for entries taken in.
  Judgement JudgementOf(EntryIndex index) const;
  // The revocation that disputes it; nothing if none does or if it is not valid.
  std::optional<EntryIndex> DisputedBy(EntryIndex index) const;
  // Valid and not disputed (rule 15).
  bool Counts(EntryIndex index) const;
  KeyId SignerOf(EntryIndex index) const;
  // Entries that are void or malformed, and those logged before the one before them
  // (TIME_DECREASED), by ascending index. What is wrong with content is for the audit.
  std::vector<EntryFault> Faults() const;

  // Records: every digest that a valid publication named as one.
  const RecordTable& records() const { return records_; }
  // The signer of the first publication that counts; nothing if none does (DISPUTED), or if the
  // record was never published.
  std::optional<KeyId> OwnerOf(const Digest& record) const { return records_.OwnerOf(record); }
  std::optional<RecordRetraction> RetractionOf(const Digest& record) const;
  std::vector<KeyId> WithdrawnBy(const Digest& record) const {
    return records_.WithdrawnBy(record);
  }

  bool IsWithheld(const Digest& digest) const { return events_.IsWithheld(ring_, digest); }
  std::vector<Digest> Withheld() const;  // in the order of their first mention in the log
  bool OpenAttestations() const { return events_.OpenAttestations(ring_); }
  // With from and until, that of genesis first.
  std::vector<LogKeySpan> LogKeys() const { return events_.LogKeys(ring_); }

 private:
  struct ReplayKey {
    DigestTable::Id payload, signer;
    friend bool operator==(const ReplayKey&, const ReplayKey&) = default;
    template <class H>
    friend H AbslHashValue(H h, const ReplayKey& k) {
      return H::combine(std::move(h), k.payload, k.signer);
    }
  };
  // Where a valid statement stands: an inline entry, or the latest of its detached copies.
  struct ReplayRow {
    bool detached = false;
    uint32_t at = 0;  // ordinal, or into copies_
  };

  const LogEvents& events() const override { return events_; }
  bool IsPublished(const Digest& record) const override { return records_.IsPublished(record); }
  bool IsPublishedBy(const Digest& record, const KeyId& signer) const override;
  bool IsStored(const Digest& digest) const override { return records_.IsStored(digest); }

  // Rule 22, in its order; what concerns copies stands between the two.
  absl::Status CheckSigner(const Said& said) const;
  absl::Status CheckStatement(const Said& said) const;
  absl::Status AddInline(const Said& said, Ordinal entry, ReplayKey key);
  absl::Status AddDetached(const Said& said, Ordinal entry, ReplayKey key);
  absl::Status AddUnreadable(const Said& said, Ordinal entry);
  void TakeIn(const Said& said, Ordinal entry);
  void NoteTime(const Said& said);
  bool IsWithheldId(DigestTable::Id digest) const { return IsWithheld(digests_[digest]); }
  Judgement JudgementOf(Ordinal entry) const;
  std::optional<Ordinal> FindValid(EntryIndex index) const;

  const ReplayRules rules_;
  DigestTable digests_;
  KeyRing ring_;
  EntryTable entries_{ring_, digests_};
  RecordTable records_{digests_, entries_};
  LogEvents events_;
  DetachedCopies copies_;
  ReasonTable reasons_;
  absl::flat_hash_map<ReplayKey, ReplayRow> replays_;
  std::optional<TimeMs> last_logged_;
  std::vector<EntryIndex> time_faults_;
};

}  // namespace stele
