// The store's one seam: "commit this plan", and snapshots to read from (docs/backend.md).
//
// Contract of every engine, checked by one test suite:
// - Commit applies a plan whole or not at all. When it returns OK everything in the plan is on
// stable
//   storage and visible to the next snapshot.
// - A plan whose base is not the present head is FAILED_PRECONDITION and changes nothing. One that
//   names an artifact that is neither staged whole nor content is INVALID_ARGUMENT, likewise.
// - Any other error leaves the caller not knowing whether the plan is durable: the backend takes no
//   further plan (FAILED_PRECONDITION) until it is closed and opened again; reads go on.
// - Rows are never changed or removed, except that the unfinished tile of a level ≥ 1 grows.
// - Reads verify the checksum of the frame they come from: DATA_LOSS names the row. Content is raw:
//   whoever reads it checks its digest (store/read does).
// - Everything here may be called from any thread; Commit from one at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/merkle/hash.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"
#include "store/backend/staging.h"

namespace stele::store {

// The newest state: one row, replaced by every commit.
struct Head {
  std::string origin;
  TreeSize size;
  Hash root;
  TimeMs last_logged;
  std::string checkpoint;  // signed note over origin, size, root
  friend bool operator==(const Head&, const Head&) = default;
};

struct ContentRow {
  Digest digest;
  std::string bytes;
};

// Large content, whose bytes stand in chunks. A plan names digest and size of one that is staged
// whole (store/backend/staging.h); the digests of its chunks come from there.
struct ArtifactRow {
  Digest digest;
  uint64_t size = 0;
  std::string chunk_digests;  // SHA-256 of each chunk, 32 bytes each
  friend bool operator==(const ArtifactRow&, const ArtifactRow&) = default;
};

struct EntryRow {
  EntryIndex index;
  std::string leaf;
  Hash leaf_hash;
  friend bool operator==(const EntryRow&, const EntryRow&) = default;
};

// Levels ≥ 1 are written whenever they grow, level 0 once full (before that it follows from
// entries).
struct TileRow {
  int level = 0;
  uint64_t number = 0;
  std::string bytes;  // width × 32
};

// Idempotency: the same payload by the same key.
struct ReplayKey {
  Digest payload;  // SHA-256
  KeyId signer;
  friend auto operator<=>(const ReplayKey&, const ReplayKey&) = default;
  template <class H>
  friend H AbslHashValue(H h, const ReplayKey& k) {
    return H::combine(std::move(h), k.payload, k.signer);
  }
};
struct ReplayRow {
  ReplayKey key;
  EntryIndex index;
};

// One record subject of one valid publication.
struct PublicationRow {
  Digest record;
  EntryIndex index;
  KeyId signer;
  Digest manifest;
  EventIndex authority;
  friend bool operator==(const PublicationRow&, const PublicationRow&) = default;
};

// What a valid entry says about a digest, unless it publishes it as a record (PublicationRow) or is
// an event about a key (KeyEvent). Which rows an entry has: store/index/subject_rows.h.
struct SubjectRow {
  Digest subject;
  EntryIndex index;
  StatementType type = StatementType::kForeign;
  KeyId signer;
  EventIndex authority;
  bool withheld = false;  // by a withholding, which else restores
  friend bool operator==(const SubjectRow&, const SubjectRow&) = default;
};

struct CommitPlan {
  TreeSize base_size;
  Hash base_root;
  std::vector<ContentRow> content;
  std::vector<ArtifactRow> artifacts;  // digest and size; staged whole, or content already
  std::vector<EntryRow> entries;       // ascending from base_size
  std::vector<TileRow> tiles;
  std::vector<ReplayRow> replays;
  std::vector<KeyEvent> key_events;
  std::vector<PublicationRow> publications;
  std::vector<SubjectRow> subjects;
  Head head;
};

// The rows that there may be many of; for who looks at all of a kind.
enum class RowKind {
  kContent,
  kEntry,
  kTile,
  kReplay,
  kPublication,
  kSubject,
  kKeyEvent,
  kArtifact
};
using AnyRow = std::variant<ContentRow, EntryRow, TileRow, ReplayRow, PublicationRow, SubjectRow,
                            KeyEvent, ArtifactRow>;
using RowVisit = std::function<bool(absl::StatusOr<AnyRow> row)>;

// A view of one moment. Lives independently of later commits; hold it briefly, it pins files.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  // Nothing in a store that has no genesis yet.
  virtual const std::optional<Head>& head() const = 0;

  // All of these: NOT_FOUND if the row is not there, DATA_LOSS if it is damaged, UNAVAILABLE for
  // I/O.
  //
  // Content that is kept in one piece: unverified bytes.
  virtual absl::StatusOr<std::string> Content(const Digest& digest) const = 0;
  // Content that is kept in chunks; a digest may be both.
  virtual absl::StatusOr<ArtifactRow> Artifact(const Digest& digest) const = 0;
  // Of an artifact that this snapshot has: unverified bytes.
  virtual absl::StatusOr<std::string> ArtifactChunk(const Digest& digest,
                                                    uint64_t number) const = 0;
  // In one piece or in chunks.
  virtual absl::StatusOr<bool> HasContent(const Digest& digest) const = 0;
  // Up to `limit` digests of content, in one piece or in chunks, that begin with these hex digits,
  // ascending.
  virtual absl::StatusOr<std::vector<Digest>> ContentByPrefix(std::string_view hex,
                                                              size_t limit) const = 0;
  virtual absl::StatusOr<EntryRow> Entry(EntryIndex index) const = 0;
  // Entries [begin, end) in order; stops early without error when `visit` returns false. A missing
  // entry in the range is DATA_LOSS.
  virtual absl::Status VisitEntries(EntryIndex begin, EntryIndex end,
                                    const std::function<bool(EntryRow)>& visit) const = 0;
  virtual absl::StatusOr<std::string> Tile(int level, uint64_t number) const = 0;
  virtual absl::StatusOr<std::optional<EntryIndex>> FindReplay(const ReplayKey& key) const = 0;
  // Ascending by index; empty if none.
  virtual absl::StatusOr<std::vector<PublicationRow>> Publications(const Digest& record) const = 0;
  // Ascending by index; empty if none.
  virtual absl::StatusOr<std::vector<SubjectRow>> Subjects(const Digest& subject) const = 0;
  // All key events, ascending.
  virtual absl::StatusOr<std::vector<KeyEvent>> KeyEvents() const = 0;

  // Every row of a kind in the order of its key, whatever the head says; stops without error when
  // `visit` returns false. A damaged row is visited as its DATA_LOSS and the next one follows; what
  // keeps the rest from being read is returned.
  virtual absl::Status VisitRows(RowKind kind, const RowVisit& visit) const = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual absl::StatusOr<std::shared_ptr<const Snapshot>> GetSnapshot() const = 0;
  // RESOURCE_EXHAUSTED with reason DISK_FULL if the disk is full, DATA_LOSS for damage found while
  // writing, else UNAVAILABLE; see the contract above for what follows.
  virtual absl::Status Commit(const CommitPlan& plan) = 0;
  // Lives as long as the backend.
  virtual Staging& staging() = 0;
  // True after a failed commit: reads only, until reopened.
  virtual bool poisoned() const = 0;
  // Bytes free where the store writes; unlimited for engines without a disk.
  virtual absl::StatusOr<uint64_t> FreeBytes() const = 0;
  // Numbers for /metrics by name, e.g. "rocksdb_memtable_bytes", "wal_syncs".
  virtual std::vector<std::pair<std::string, uint64_t>> Stats() const { return {}; }
};

}  // namespace stele::store
