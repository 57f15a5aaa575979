#include <limits>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/backend/digest_range.h"
#include "store/backend/memory_disk.h"

namespace stele::store {
namespace {

class MemorySnapshot final : public Snapshot {
 private:
  // The row as this snapshot sees it; null if it does not.
  template <class Rows, class Key>
  auto Find(const Rows& rows, const Key& key) const {
    auto it = rows.find(key);
    return it == rows.end() ? nullptr : it->second.At(stamp_);
  }

  // The digests in a range, at most `limit`, ascending.
  template <class Rows>
  std::vector<Digest> Within(const Rows& rows, const DigestRange& range, size_t limit) const {
    std::vector<Digest> found;
    auto it = rows.lower_bound(range.first);
    for (; it != rows.end() && it->first <= range.last && found.size() < limit; ++it) {
      if (it->second.At(stamp_) != nullptr) found.push_back(it->first);
    }
    return found;
  }

  // All rows under this digest, ascending.
  template <class Row, class Rows>
  std::vector<Row> Under(const Rows& all, const Digest& digest) const {
    std::vector<Row> rows;
    auto it = all.lower_bound({digest, EntryIndex(0)});
    for (; it != all.end() && it->first.first == digest; ++it) {
      if (const Row* row = it->second.At(stamp_)) rows.push_back(*row);
    }
    return rows;
  }

 public:
  MemorySnapshot(std::shared_ptr<MemoryDisk> disk, uint64_t stamp, std::optional<Head> head)
      : disk_(std::move(disk)), stamp_(stamp), head_(std::move(head)) {}

  const std::optional<Head>& head() const override { return head_; }

  absl::StatusOr<std::string> Content(const Digest& digest) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    const std::string* bytes = Find(disk_->content, digest);
    if (bytes == nullptr) return absl::NotFoundError(Concat("no content ", digest.ToText()));
    return *bytes;
  }

  absl::StatusOr<ArtifactRow> Artifact(const Digest& digest) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    const ArtifactRow* row = Find(disk_->artifacts, digest);
    if (row == nullptr) return absl::NotFoundError(Concat("no artifact ", digest.ToText()));
    return *row;
  }

  absl::StatusOr<std::string> ArtifactChunk(const Digest& digest, uint64_t number) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    const auto found = disk_->chunks.find({digest, number});
    if (found == disk_->chunks.end()) {
      return absl::NotFoundError(Concat("no chunk ", number, " of artifact ", digest.ToText()));
    }
    return found->second;
  }

  absl::StatusOr<bool> HasContent(const Digest& digest) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    return Find(disk_->content, digest) != nullptr || Find(disk_->artifacts, digest) != nullptr;
  }

  absl::StatusOr<std::vector<Digest>> ContentByPrefix(std::string_view hex,
                                                      size_t limit) const override {
    const auto range = DigestsWithPrefix(hex);
    if (!range) return absl::InvalidArgumentError("a digest prefix is lowercase hex digits");
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    return FirstOf(Within(disk_->content, *range, limit), Within(disk_->artifacts, *range, limit),
                   limit);
  }

  absl::StatusOr<EntryRow> Entry(EntryIndex index) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    const EntryRow* row = Find(disk_->entries, index);
    if (row == nullptr) return absl::NotFoundError(Concat("no entry ", index.value()));
    return *row;
  }

  absl::Status VisitEntries(EntryIndex begin, EntryIndex end,
                            const std::function<bool(EntryRow)>& visit) const override {
    for (EntryIndex index = begin; index < end; ++index) {
      absl::StatusOr<EntryRow> row = Entry(index);
      if (absl::IsNotFound(row.status())) {
        return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                      Concat("entry ", index.value(), " is missing"));
      }
      STELE_RETURN_IF_ERROR(row.status());
      if (!visit(*std::move(row))) break;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<std::string> Tile(int level, uint64_t number) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    const std::string* bytes = Find(disk_->tiles, std::pair(level, number));
    if (bytes == nullptr) {
      return absl::NotFoundError(Concat("no tile ", number, " of level ", level));
    }
    return *bytes;
  }

  absl::StatusOr<std::optional<EntryIndex>> FindReplay(const ReplayKey& key) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->replay_read_error);
    const EntryIndex* index = Find(disk_->replays, key);
    return index == nullptr ? std::nullopt : std::optional(*index);
  }

  absl::StatusOr<std::vector<PublicationRow>> Publications(const Digest& record) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    return Under<PublicationRow>(disk_->publications, record);
  }

  absl::StatusOr<std::vector<SubjectRow>> Subjects(const Digest& subject) const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    return Under<SubjectRow>(disk_->subjects, subject);
  }

  absl::StatusOr<std::vector<KeyEvent>> KeyEvents() const override {
    MutexLock lock(disk_->mutex);
    STELE_RETURN_IF_ERROR(disk_->read_error);
    std::vector<KeyEvent> events;
    for (const auto& [stamp, event] : disk_->key_events) {
      if (stamp <= stamp_) events.push_back(event);
    }
    return events;
  }

  absl::Status VisitRows(RowKind kind, const RowVisit& visit) const override {
    // A copy, so that `visit` may read too.
    std::vector<AnyRow> rows;
    {
      MutexLock lock(disk_->mutex);
      STELE_RETURN_IF_ERROR(disk_->read_error);
      rows = RowsOf(kind);
    }
    for (AnyRow& row : rows) {
      if (!visit(std::move(row))) break;
    }
    return absl::OkStatus();
  }

 private:
  template <class Rows, class Make>
  std::vector<AnyRow> Collect(const Rows& rows, Make make) const {
    std::vector<AnyRow> found;
    for (const auto& [key, versions] : rows) {
      if (const auto* row = versions.At(stamp_)) found.push_back(make(key, *row));
    }
    return found;
  }
  std::vector<AnyRow> RowsOf(RowKind kind) const STELE_REQUIRES(disk_->mutex) {
    auto as_it_is = [](const auto&, const auto& row) { return row; };
    switch (kind) {
      case RowKind::kContent:
        return Collect(disk_->content, [](const Digest& digest, const std::string& bytes) {
          return ContentRow{digest, bytes};
        });
      case RowKind::kEntry:
        return Collect(disk_->entries, as_it_is);
      case RowKind::kTile:
        return Collect(disk_->tiles, [](const auto& key, const std::string& bytes) {
          return TileRow{.level = key.first, .number = key.second, .bytes = bytes};
        });
      case RowKind::kReplay:
        return Collect(disk_->replays, [](const ReplayKey& key, EntryIndex index) {
          return ReplayRow{.key = key, .index = index};
        });
      case RowKind::kPublication:
        return Collect(disk_->publications, as_it_is);
      case RowKind::kSubject:
        return Collect(disk_->subjects, as_it_is);
      case RowKind::kArtifact:
        return Collect(disk_->artifacts, as_it_is);
      case RowKind::kKeyEvent:
        break;
    }
    std::vector<AnyRow> events;
    for (const auto& [stamp, event] : disk_->key_events) {
      if (stamp <= stamp_) events.emplace_back(event);
    }
    return events;
  }

  const std::shared_ptr<MemoryDisk> disk_;
  const uint64_t stamp_;
  const std::optional<Head> head_;
};

}  // namespace

std::shared_ptr<const Snapshot> TakeMemorySnapshot(std::shared_ptr<MemoryDisk> disk) {
  MutexLock lock(disk->mutex);
  const uint64_t stamp = disk->stamp;
  std::optional<Head> head = disk->head;
  return std::make_shared<MemorySnapshot>(disk, stamp, std::move(head));
}

}  // namespace stele::store
