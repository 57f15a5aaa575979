#include <rocksdb/db.h>
#include <rocksdb/slice.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "core/base/concat.h"
#include "core/base/mutex.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/backend/digest_range.h"
#include "store/backend/rocksdb/database.h"
#include "store/backend/rocksdb/row_reader.h"
#include "store/backend/rocksdb/status.h"
#include "store/codec/keys.h"
#include "store/codec/rows.h"

namespace stele::store {
namespace {

using rocksdb::Slice;

constexpr uint64_t kLongScan = 1024;  // entries; longer scans do not push others out of the cache

Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view View(const Slice& slice) { return {slice.data(), slice.size()}; }

absl::Status Damaged(const std::string& message) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "", message);
}

// Calls `visit` with key and value of every row from `first` to `last`, both inclusive, until it
// returns false or an error.
using Visit = absl::FunctionRef<absl::StatusOr<bool>(std::string_view, std::string_view)>;

// One iterator over the rows under a digest, kept between scans: making one takes longer than a
// scan of few rows, and a page of records scans twice for each. Any thread; who finds it lent makes
// another.
class KeptIterator {
 public:
  std::unique_ptr<rocksdb::Iterator> Take() STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return std::move(kept_);
  }
  void Keep(std::unique_ptr<rocksdb::Iterator> iterator) STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (kept_ == nullptr) kept_ = std::move(iterator);
  }

 private:
  Mutex mutex_;
  std::unique_ptr<rocksdb::Iterator> kept_ STELE_GUARDED_BY(mutex_);
};

// The rows under the digests that were asked for last. A snapshot is one moment, so they stay right
// as long as it lives, which is until the next commit: where readers are many and commits are few,
// the records of a first page are asked for again and again. Any thread.
template <class Row>
class KeptRows {
 public:
  std::optional<std::vector<Row>> Find(const Digest& digest) const STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = rows_.find(digest);
    return found == rows_.end() ? std::nullopt : std::optional(found->second);
  }
  void Keep(const Digest& digest, const std::vector<Row>& rows) STELE_EXCLUDES(mutex_) {
    if (rows.size() > kMostRows) return;
    MutexLock lock(mutex_);
    if (rows_.size() == kMostDigests) rows_.clear();
    rows_.emplace(digest, rows);
  }

 private:
  static constexpr size_t kMostDigests = 1024;
  static constexpr size_t kMostRows = 8;  // of one digest

  mutable Mutex mutex_;
  absl::flat_hash_map<Digest, std::vector<Row>> rows_ STELE_GUARDED_BY(mutex_);
};

class RocksDbSnapshot final : public Snapshot {
 public:
  explicit RocksDbSnapshot(std::shared_ptr<const Database> database)
      : database_(std::move(database)), snapshot_(database_->db().GetSnapshot()) {}
  ~RocksDbSnapshot() override {
    publications_.Take().reset();
    subjects_.Take().reset();
    database_->db().ReleaseSnapshot(snapshot_);
  }

  absl::Status ReadHead() {
    rocksdb::PinnableSlice value;
    absl::Status status = Get(Family::kMeta, kHeadKey, "the head", value);
    if (absl::IsNotFound(status)) return absl::OkStatus();
    STELE_RETURN_IF_ERROR(status);
    STELE_ASSIGN_OR_RETURN(head_, DecodeHead(View(value)));
    return absl::OkStatus();
  }

  const std::optional<Head>& head() const override { return head_; }

  absl::StatusOr<std::string> Content(const Digest& digest) const override {
    rocksdb::PinnableSlice value;
    STELE_RETURN_IF_ERROR(
        Get(Family::kContent, digest.bytes(), Concat("content ", digest.ToText()), value));
    return value.ToString();
  }

  absl::StatusOr<ArtifactRow> Artifact(const Digest& digest) const override {
    rocksdb::PinnableSlice value;
    STELE_RETURN_IF_ERROR(
        Get(Family::kArtifacts, digest.bytes(), Concat("artifact ", digest.ToText()), value));
    return DecodeArtifact(View(value), digest);
  }

  absl::StatusOr<std::string> ArtifactChunk(const Digest& digest, uint64_t number) const override {
    rocksdb::PinnableSlice value;
    STELE_RETURN_IF_ERROR(Get(Family::kChunks, ChunkKey(digest, number),
                              Concat("chunk ", number, " of artifact ", digest.ToText()), value));
    return value.ToString();
  }

  absl::StatusOr<bool> HasContent(const Digest& digest) const override {
    for (const Family family : {Family::kContent, Family::kArtifacts}) {
      rocksdb::PinnableSlice value;
      absl::Status status = Get(family, digest.bytes(), Concat("content ", digest.ToText()), value);
      if (status.ok()) return true;
      if (!absl::IsNotFound(status)) return status;
    }
    return false;
  }

  absl::StatusOr<std::vector<Digest>> ContentByPrefix(std::string_view hex,
                                                      size_t limit) const override {
    const auto range = DigestsWithPrefix(hex);
    if (!range) return absl::InvalidArgumentError("a digest prefix is lowercase hex digits");
    if (limit == 0) return std::vector<Digest>();
    STELE_ASSIGN_OR_RETURN(const auto pieces, Within(Family::kContent, *range, limit));
    STELE_ASSIGN_OR_RETURN(const auto artifacts, Within(Family::kArtifacts, *range, limit));
    return FirstOf(pieces, artifacts, limit);
  }

  absl::StatusOr<EntryRow> Entry(EntryIndex index) const override {
    rocksdb::PinnableSlice value;
    STELE_RETURN_IF_ERROR(
        Get(Family::kEntries, EntryKey(index), Concat("entry ", index.value()), value));
    return DecodeEntry(View(value), index);
  }

  absl::Status VisitEntries(EntryIndex begin, EntryIndex end,
                            const std::function<bool(EntryRow)>& visit) const override {
    if (begin >= end) return absl::OkStatus();
    EntryIndex next = begin;
    bool stopped = false;
    auto take = [&](std::string_view key, std::string_view value) -> absl::StatusOr<bool> {
      if (ParseEntryKey(key) != next) return false;
      STELE_ASSIGN_OR_RETURN(EntryRow row, DecodeEntry(value, next));
      ++next;
      stopped = !visit(std::move(row));
      return !stopped;
    };
    rocksdb::ReadOptions options = Options();
    options.fill_cache = end.value() - begin.value() < kLongScan;
    STELE_RETURN_IF_ERROR(Scan(Family::kEntries, EntryKey(begin),
                               EntryKey(EntryIndex(end.value() - 1)), options, "entries", take));
    if (stopped || next == end) return absl::OkStatus();
    return Damaged(Concat("entry ", next.value(), " is missing"));
  }

  absl::StatusOr<std::string> Tile(int level, uint64_t number) const override {
    rocksdb::PinnableSlice value;
    STELE_RETURN_IF_ERROR(Get(Family::kTiles, TileKey(level, number),
                              Concat("tile ", number, " of level ", level), value));
    STELE_ASSIGN_OR_RETURN(TileRow row, DecodeTile(View(value), level, number));
    return std::move(row.bytes);
  }

  absl::StatusOr<std::optional<EntryIndex>> FindReplay(const ReplayKey& key) const override {
    rocksdb::PinnableSlice value;
    absl::Status status = Get(Family::kReplays, ReplayRowKey(key),
                              Concat("the replay row of ", key.payload.ToText()), value);
    if (absl::IsNotFound(status)) return std::optional<EntryIndex>();
    STELE_RETURN_IF_ERROR(status);
    STELE_ASSIGN_OR_RETURN(ReplayRow row, DecodeReplay(View(value), key));
    return std::optional(row.index);
  }

  absl::StatusOr<std::vector<PublicationRow>> Publications(const Digest& record) const override {
    if (auto kept = kept_publications_.Find(record)) return *std::move(kept);
    std::vector<PublicationRow> rows;
    auto take = [&](std::string_view key, std::string_view value) -> absl::StatusOr<bool> {
      const auto parts = ParsePublicationKey(key);
      if (!parts) return Damaged("a publication row has a key that is none");
      STELE_ASSIGN_OR_RETURN(PublicationRow row,
                             DecodePublication(value, parts->record, parts->index));
      rows.push_back(row);
      return true;
    };
    STELE_RETURN_IF_ERROR(ScanUnder(
        Family::kPublications, publications_, PublicationKey(record, EntryIndex(0)),
        PublicationKey(record, EntryIndex(UINT64_MAX)),
        [&] { return Concat("publications of ", record.ToText()); }, take));
    kept_publications_.Keep(record, rows);
    return rows;
  }

  absl::StatusOr<std::vector<SubjectRow>> Subjects(const Digest& subject) const override {
    if (auto kept = kept_subjects_.Find(subject)) return *std::move(kept);
    std::vector<SubjectRow> rows;
    auto take = [&](std::string_view key, std::string_view value) -> absl::StatusOr<bool> {
      const auto parts = ParseSubjectKey(key);
      if (!parts) return Damaged("a subject row has a key that is none");
      STELE_ASSIGN_OR_RETURN(SubjectRow row, DecodeSubject(value, parts->record, parts->index));
      rows.push_back(row);
      return true;
    };
    STELE_RETURN_IF_ERROR(ScanUnder(
        Family::kSubjects, subjects_, SubjectKey(subject, EntryIndex(0)),
        SubjectKey(subject, EntryIndex(UINT64_MAX)),
        [&] { return Concat("entries about ", subject.ToText()); }, take));
    kept_subjects_.Keep(subject, rows);
    return rows;
  }

  absl::StatusOr<std::vector<KeyEvent>> KeyEvents() const override {
    std::vector<KeyEvent> events;
    auto take = [&](std::string_view key, std::string_view value) -> absl::StatusOr<bool> {
      const auto parts = ParseKeyEventKey(key);
      if (!parts) return Damaged("a key event has a key that is none");
      STELE_ASSIGN_OR_RETURN(KeyEvent event, DecodeKeyEvent(value, parts->index, parts->ordinal));
      events.push_back(std::move(event));
      return true;
    };
    STELE_RETURN_IF_ERROR(Scan(Family::kKeyEvents, KeyEventKey(EntryIndex(0), 0),
                               KeyEventKey(EntryIndex(UINT64_MAX), UINT32_MAX), Options(),
                               "key events", take));
    return events;
  }

  absl::Status VisitRows(RowKind kind, const RowVisit& visit) const override {
    const auto [family, name, decode] = RowReaderOf(kind);
    if (database_->family(family) == nullptr) return absl::OkStatus();
    rocksdb::ReadOptions options = Options();
    options.fill_cache = false;
    options.total_order_seek = true;
    std::unique_ptr<rocksdb::Iterator> it(
        database_->db().NewIterator(options, database_->family(family)));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      if (!visit(decode(View(it->key()), View(it->value())))) return absl::OkStatus();
    }
    return FromRocksDb(it->status(), Concat("reading ", name));
  }

 private:
  // The digests in a range, at most `limit`, ascending.
  absl::StatusOr<std::vector<Digest>> Within(Family family, const DigestRange& range,
                                             size_t limit) const {
    std::vector<Digest> found;
    auto visit = [&](std::string_view key, std::string_view) -> absl::StatusOr<bool> {
      const auto digest = Digest::FromBytes(key);
      if (!digest) return Damaged("a content row has a key that is no digest");
      found.push_back(*digest);
      return found.size() < limit;
    };
    STELE_RETURN_IF_ERROR(Scan(family, range.first.bytes(), range.last.bytes(), Options(),
                               "content by prefix", visit));
    return found;
  }

  rocksdb::ReadOptions Options() const {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot_;
    options.verify_checksums = true;
    return options;
  }

  absl::Status Get(Family family, std::string_view key, const std::string& name,
                   rocksdb::PinnableSlice& value) const {
    rocksdb::ColumnFamilyHandle* const rows = database_->family(family);
    const rocksdb::Status status = rows == nullptr
                                       ? rocksdb::Status::NotFound()
                                       : database_->db().Get(Options(), rows, ToSlice(key), &value);
    if (status.IsNotFound()) return absl::NotFoundError(Concat("there is no ", name));
    return FromRocksDb(status, Concat("reading ", name));
  }

  // Of rows under one digest: both keys begin with it.
  absl::Status ScanUnder(Family family, KeptIterator& kept, std::string_view first,
                         std::string_view last, absl::FunctionRef<std::string()> name,
                         Visit visit) const {
    if (database_->family(family) == nullptr) return absl::OkStatus();
    std::unique_ptr<rocksdb::Iterator> it = kept.Take();
    if (it == nullptr) {
      rocksdb::ReadOptions options = Options();
      options.prefix_same_as_start = true;
      it.reset(database_->db().NewIterator(options, database_->family(family)));
    }
    STELE_RETURN_IF_ERROR(Walk(*it, first, last, visit));
    if (!it->status().ok()) return FromRocksDb(it->status(), Concat("reading ", name()));
    kept.Keep(std::move(it));
    return absl::OkStatus();
  }

  absl::Status Scan(Family family, std::string_view first, std::string_view last,
                    rocksdb::ReadOptions options, const std::string& name, Visit visit) const {
    if (database_->family(family) == nullptr) return absl::OkStatus();
    std::unique_ptr<rocksdb::Iterator> it(
        database_->db().NewIterator(options, database_->family(family)));
    STELE_RETURN_IF_ERROR(Walk(*it, first, last, visit));
    return FromRocksDb(it->status(), Concat("reading ", name));
  }

  // The iterator's own status is the caller's to look at.
  static absl::Status Walk(rocksdb::Iterator& it, std::string_view first, std::string_view last,
                           Visit visit) {
    for (it.Seek(ToSlice(first)); it.Valid() && View(it.key()) <= last; it.Next()) {
      STELE_ASSIGN_OR_RETURN(const bool more, visit(View(it.key()), View(it.value())));
      if (!more) break;
    }
    return absl::OkStatus();
  }

  const std::shared_ptr<const Database> database_;
  const rocksdb::Snapshot* const snapshot_;
  std::optional<Head> head_;
  mutable KeptIterator publications_, subjects_;
  mutable KeptRows<PublicationRow> kept_publications_;
  mutable KeptRows<SubjectRow> kept_subjects_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Snapshot>> Database::Take(
    std::shared_ptr<const Database> database) {
  auto snapshot = std::make_shared<RocksDbSnapshot>(std::move(database));
  STELE_RETURN_IF_ERROR(snapshot->ReadHead());
  return snapshot;
}

}  // namespace stele::store
