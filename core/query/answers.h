// Answers about records, as values: what the store's queries give (store/index/queries.h), the
// server puts on the wire, and the client reads from there. Pure; no invariant but what is said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/kernelindex/cohort.h"
#include "core/kernelindex/evidence.h"
#include "core/kernelindex/profile.h"
#include "core/replay/replay.h"
#include "core/statement/statement.h"

namespace stele {

// How the index stands to the log.
enum class IndexState : uint8_t {
  kFollowing,   // it has, or is about to have, everything
  kRebuilding,  // it was thrown away when the store was opened and has not yet what there was then
  kStopped,     // by damage, or because it cannot be written: a line in the log says why
};
std::string_view IndexStateName(IndexState state);  // "following", "rebuilding", "stopped"
std::optional<IndexState> ParseIndexState(std::string_view name);

struct IndexMoment {
  TreeSize applied;  // entries that the index has taken in; at most `size`
  TreeSize size;     // of the head
  IndexState state = IndexState::kFollowing;
};

struct PageRequest {
  size_t size = 0;    // 0: limits::kDefaultPageRows; at most limits::kPageRows
  std::string token;  // of the page before; empty for the first
};

// Rows that were there for the first page come each once, in one order, whatever is appended
// meanwhile; nothing newer comes in. A page may be short, even empty, and have a next.
template <class Row>
struct Page {
  IndexMoment moment;
  std::vector<Row> rows;
  std::string next_token;  // empty: this was the last
};

// A published record in a list.
struct RecordRow {
  Digest record;
  // Empty if the record or that manifest is withheld or absent. At most
  // limits::kIndexedKindBytes, limits::kIndexedNameBytes.
  std::string kind;
  std::string name, title;  // metadata's, of the owner's latest publication that counts
  EntryIndex first;         // its first valid publication
  TimeMs logged;            // of that
  std::optional<KeyId> owner;
  bool disputed = false;  // no publication counts: it has no owner, no name and no title
  bool retracted = false;
  std::optional<Digest> superseded_by;    // of a retraction: the next of the chain
  std::optional<EntryIndex> withheld_by;  // the record's identity body is withheld
};

// All that are given must hold. The words of `name` (store/index/words.h) must all be words of the
// name and title of one manifest of the record that a publication that counts brought, the last one
// as a prefix; of a name or title of more than limits::kIndexedNameBytes only the beginning counts.
struct ListFilter {
  std::optional<std::string> kind;
  std::string name;
  std::optional<KeyId> publisher;  // who has published it, the owner or not
  std::optional<Digest> references;
};

struct ReferenceRow {
  RecordRow from;
  // In `from`'s identity body, begins with "/spec". Empty if it is longer than
  // limits::kIndexedPointerBytes.
  std::string pointer;
  bool artifact = false;  // an object with `uri` and `digest` holds it
};

// A run, as ranking sees it.
struct RunRow {
  RecordRow record;
  std::optional<Digest> implementation, workload, protocol, environment;
  std::string status;                    // as it stands there; empty: absent
  kernelindex::Measurement measurement;  // its key, value and unit
  std::optional<kernelindex::Interval> confidence95;
  std::optional<Digest> cohort;  // its comparison key; nothing if it has none
};

struct CohortAnswer {
  IndexMoment moment;
  Digest key;
  std::optional<Digest> asked;  // the run that was asked for, if it was one
  // Ranks, ties, exclusions with their reasons, the leader, and each against it.
  kernelindex::Cohort cohort;
  std::vector<RunRow> runs;  // every member, ascending by record
  // Null if it is no member.
  const RunRow* Find(const Digest& record) const;
};

// Who took a record back (rules 26 and 27).
struct RetractionRow {
  EntryIndex index;  // of the first retraction that retracts it
  KeyId signer;
  TimeMs logged;
  std::string reason;
  std::optional<Digest> superseded_by;
  // The successors, each retracted in favour of the next; at most limits::kSuccessors.
  std::vector<Digest> chain;
  ChainEnd chain_end = ChainEnd::kEnd;
};

// All of it as of the head.
struct Standing {
  IndexMoment moment;
  Digest record;
  bool published = false;  // by any valid publication
  std::optional<EntryIndex> first;
  std::optional<KeyId> owner;
  bool disputed = false;  // published, and no publication counts
  std::optional<RetractionRow> retraction;
  std::vector<KeyId> withdrawn_by;  // who took back own publications, which retracts nothing
  std::optional<EntryIndex> withheld_by;
};

// What one entry says about the record; of each type what it has. Texts are cut to
// limits::kHistoryTextBytes.
struct HistorySaid {
  std::optional<Digest> manifest;       // publication of it as a record
  std::string media_type;               // publication of it as an artifact
  std::optional<uint64_t> bytes;        // likewise
  std::string outcome;                  // verification, reproduction
  std::optional<Digest> rerun;          // verification
  std::optional<Observation> observed;  // reproduction
  std::optional<Digest> environment;    // reproduction
  std::string topic;                    // note
  std::string body;                     // reproduction, note
  std::vector<Evidence> evidence;  // reproduction, note; the first limits::kHistoryEvidence, and
  size_t evidence_count = 0;       // how many there are
  std::string reason;              // retraction, withholding
  std::optional<Digest> superseded_by;  // retraction
  std::string state;                    // withholding: "withheld", "restored"
};

struct HistoryRow {
  EntryIndex index;
  StatementType type = StatementType::kPublication;
  std::string predicate_type;
  KeyId signer;
  std::string signer_name;  // of the latest grant that counts; empty if there is none
  EventIndex authority;
  TimeMs logged;
  std::optional<EntryIndex> disputed_by;  // the revocation; then it counts for nothing
  std::optional<EntryIndex> withheld_by;  // its envelope is withheld: nothing of it is said
  HistorySaid said;
};

struct History {
  Standing standing;
  // Nothing unless the record is a run of KernelIndex that can be read.
  std::optional<kernelindex::Evidence> evidence;
  Page<HistoryRow> entries;  // oldest first; at most limits::kHistoryRows a page
};

}  // namespace stele
