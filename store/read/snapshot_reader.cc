#include "store/read/snapshot_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/tlog/entry_bundle.h"
#include "store/read/artifact_chunks.h"
#include "store/read/stored_tile.h"

namespace stele::store {
namespace {

absl::Status NotThere(std::string_view what) {
  return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "", what);
}

absl::Status CheckLeafHash(const EntryRow& row) {
  if (LeafHash(row.leaf) == row.leaf_hash) return absl::OkStatus();
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                absl::StrCat("entry ", row.index.value(), " does not have its stored leaf hash"));
}

// Finished tiles are proven from right after this; reading them back would be waste.
void KeepFinished(const TreeEdge& edge, TileCache& cache) {
  for (const TreeEdge::FinishedTile& tile : edge.finished()) {
    absl::StatusOr<TileHashes> hashes = TileHashes::FromBytes(tile.bytes);
    if (!hashes.ok()) continue;
    cache.Insert({tile.id.level, tile.id.number},
                 std::make_shared<const TileHashes>(*std::move(hashes)));
  }
}

}  // namespace

absl::StatusOr<std::shared_ptr<const SnapshotReader>> SnapshotReader::Make(
    std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const KeyRing> ring,
    std::shared_ptr<const LogEvents> events, std::shared_ptr<const TreeEdge> edge,
    std::shared_ptr<TileCache> cache) {
  if (!snapshot->head().has_value() || snapshot->head()->size != edge->size()) {
    return absl::InternalError("a snapshot is not of the head that it was taken for");
  }
  KeepFinished(*edge, *cache);
  return std::shared_ptr<const SnapshotReader>(new SnapshotReader(
      std::move(snapshot), std::move(ring), std::move(events), std::move(edge), std::move(cache)));
}

SnapshotReader::SnapshotReader(std::shared_ptr<const Snapshot> snapshot,
                               std::shared_ptr<const KeyRing> ring,
                               std::shared_ptr<const LogEvents> events,
                               std::shared_ptr<const TreeEdge> edge,
                               std::shared_ptr<TileCache> cache)
    : snapshot_(std::move(snapshot)),
      ring_(std::move(ring)),
      events_(std::move(events)),
      edge_(std::move(edge)),
      cache_(std::move(cache)),
      checkpoint_(std::make_shared<const std::string>(snapshot_->head()->checkpoint)),
      edge_hashes_(edge_->levels()) {}

absl::Status SnapshotReader::CheckNotWithheld(const Digest& digest) const {
  const std::optional<EntryIndex> withheld = WithheldBy(digest);
  if (!withheld) return absl::OkStatus();
  return Refuse(
      absl::StatusCode::kNotFound, reason::kWithheld, "",
      absl::StrCat(digest.ToText(), " is withheld by entry ", withheld->value(), " of the log"));
}

absl::StatusOr<std::string> SnapshotReader::Content(const Digest& digest) const {
  STELE_RETURN_IF_ERROR(CheckNotWithheld(digest));
  absl::StatusOr<std::string> bytes = snapshot_->Content(digest);
  if (absl::IsNotFound(bytes.status())) bytes = ReadSmallArtifact(*snapshot_, digest);
  if (bytes.ok() && Sha256(*bytes) != digest) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  absl::StrCat("the stored bytes of ", digest.ToText(),
                               " have another digest; restore them from a copy"));
  }
  return bytes;
}

absl::StatusOr<ArtifactRow> SnapshotReader::Artifact(const Digest& digest) const {
  STELE_RETURN_IF_ERROR(CheckNotWithheld(digest));
  return snapshot_->Artifact(digest);
}

absl::StatusOr<std::string> SnapshotReader::ArtifactChunk(const ArtifactRow& artifact,
                                                          uint64_t number) const {
  STELE_RETURN_IF_ERROR(CheckNotWithheld(artifact.digest));
  return ReadChunk(*snapshot_, artifact, number);
}

absl::StatusOr<bool> SnapshotReader::HasContent(const Digest& digest) const {
  return snapshot_->HasContent(digest);
}

absl::StatusOr<std::vector<Digest>> SnapshotReader::ContentByPrefix(std::string_view hex,
                                                                    size_t limit) const {
  return snapshot_->ContentByPrefix(hex, limit);
}

absl::StatusOr<EntryRow> SnapshotReader::Entry(EntryIndex index) const {
  if (index.value() >= head().size.value()) {
    return NotThere(absl::StrCat("the log has ", head().size.value(), " entries, none at index ",
                                 index.value()));
  }
  absl::StatusOr<EntryRow> row = snapshot_->Entry(index);
  if (row.ok()) STELE_RETURN_IF_ERROR(CheckLeafHash(*row));
  return row;
}

absl::Status SnapshotReader::VisitEntries(EntryIndex begin, EntryIndex end,
                                          const std::function<bool(EntryRow)>& visit) const {
  end = std::min(end, EntryIndex{head().size.value()});
  if (begin >= end) return absl::OkStatus();
  absl::Status bad;
  STELE_RETURN_IF_ERROR(snapshot_->VisitEntries(begin, end, [&](EntryRow row) {
    bad = CheckLeafHash(row);
    return bad.ok() && visit(std::move(row));
  }));
  return bad;
}

absl::StatusOr<std::string> SnapshotReader::Tile(const TileId& id) const {
  const bool entries = id.level == TileId::kEntries;
  const uint32_t width = TileWidth(entries ? 0 : id.level, id.number, head().size);
  if (id.width == 0 || id.width > width) {
    return NotThere(
        absl::StrCat("the tree of size ", head().size.value(), " has no ", TilePath(id)));
  }
  if (entries) return EntryBundle(id.number, id.width);
  std::string bytes;
  if (width < limits::kTileWidth) {
    for (const Hash& hash : edge_->unfinished(static_cast<size_t>(id.level))) {
      bytes.append(hash.bytes());
    }
  } else {
    STELE_ASSIGN_OR_RETURN(bytes, StoredTile(*snapshot_, head().size, id.level, id.number));
  }
  bytes.resize(id.width * Hash::kBytes);
  return bytes;
}

absl::StatusOr<std::string> SnapshotReader::EntryBundle(uint64_t number, uint32_t width) const {
  const uint64_t begin = number * limits::kTileWidth;
  std::string bundle;
  STELE_RETURN_IF_ERROR(
      VisitEntries(EntryIndex{begin}, EntryIndex{begin + width}, [&](const EntryRow& row) {
        AppendBundleEntry(row.leaf, bundle);
        return true;
      }));
  return bundle;
}

absl::StatusOr<Proof> SnapshotReader::Inclusion(EntryIndex index) const {
  return InclusionAt(index, head().size);
}

// What is below the head's size never changes: the trees before it are read from its tiles.
absl::Status SnapshotReader::CheckReached(TreeSize size) const {
  if (size <= head().size) return absl::OkStatus();
  return Refuse(
      absl::StatusCode::kOutOfRange, reason::kProofIndex, "",
      absl::StrCat("the log has ", head().size.value(), " entries, not yet ", size.value()));
}

absl::StatusOr<Hash> SnapshotReader::RootAt(TreeSize size) const {
  STELE_RETURN_IF_ERROR(CheckReached(size));
  if (size == head().size) return head().root;
  return MakeRoot(*this, size);
}

absl::StatusOr<Proof> SnapshotReader::InclusionAt(EntryIndex index, TreeSize size) const {
  STELE_RETURN_IF_ERROR(CheckReached(size));
  if (index.value() >= size.value()) {
    return NotThere(
        absl::StrCat("the tree has ", size.value(), " entries, none at index ", index.value()));
  }
  return MakeInclusionProof(*this, index, size);
}

absl::StatusOr<Proof> SnapshotReader::Consistency(TreeSize from, TreeSize to) const {
  STELE_RETURN_IF_ERROR(CheckReached(to));
  return MakeConsistencyProof(*this, from, to);
}

absl::StatusOr<SnapshotReader::Publications> SnapshotReader::PublicationsOf(
    const Digest& record) const {
  Publications answer;
  STELE_ASSIGN_OR_RETURN(answer.rows, snapshot_->Publications(record));
  answer.disputed.reserve(answer.rows.size());
  for (const PublicationRow& row : answer.rows) {
    answer.disputed.push_back(ring_->DisputedBy(row.index, row.signer, row.authority).has_value());
  }
  return answer;
}

absl::StatusOr<SnapshotReader::Subjects> SnapshotReader::SubjectsOf(const Digest& subject) const {
  Subjects answer;
  STELE_ASSIGN_OR_RETURN(answer.rows, snapshot_->Subjects(subject));
  answer.disputed.reserve(answer.rows.size());
  for (const SubjectRow& row : answer.rows) {
    answer.disputed.push_back(ring_->DisputedBy(row.index, row.signer, row.authority).has_value());
  }
  return answer;
}

absl::StatusOr<std::vector<Hash>> SnapshotReader::ReadHashes(absl::Span<const NodeId> ids) const {
  std::vector<Hash> hashes;
  hashes.reserve(ids.size());
  TileId held;
  std::shared_ptr<const TileHashes> tile;
  for (const NodeId& id : ids) {
    const int level = id.level / 8;
    const int height = id.level % 8;
    const uint64_t first = id.index << height;  // among the hashes of the tile's level
    const uint64_t number = first / limits::kTileWidth;
    if (tile == nullptr || held.level != level || held.number != number) {
      STELE_ASSIGN_OR_RETURN(tile, Hashes(level, number));
      held = {.level = level, .number = number};
    }
    const Hash* hash = tile->Find(height, (first % limits::kTileWidth) >> height);
    if (hash == nullptr) return NotThere("a proof asked for a node outside the tree");
    hashes.push_back(*hash);
  }
  return hashes;
}

absl::StatusOr<std::shared_ptr<const TileHashes>> SnapshotReader::Hashes(int level,
                                                                         uint64_t number) const {
  if (TileWidth(level, number, head().size) < limits::kTileWidth) {
    const uint64_t edge_number = (head().size.value() >> (8 * level)) / limits::kTileWidth;
    if (static_cast<size_t>(level) >= edge_->levels() || number != edge_number) {
      return NotThere("a proof asked for a tile outside the tree");
    }
    return EdgeHashes(static_cast<size_t>(level));
  }
  if (auto tile = cache_->Find({level, number})) return tile;
  STELE_ASSIGN_OR_RETURN(std::string bytes, StoredTile(*snapshot_, head().size, level, number));
  STELE_ASSIGN_OR_RETURN(TileHashes hashes, TileHashes::FromBytes(bytes));
  auto tile = std::make_shared<const TileHashes>(std::move(hashes));
  cache_->Insert({level, number}, tile);
  return tile;
}

std::shared_ptr<const TileHashes> SnapshotReader::EdgeHashes(size_t level) const {
  MutexLock lock(mutex_);
  if (edge_hashes_[level] == nullptr) {
    edge_hashes_[level] = std::make_shared<const TileHashes>(edge_->unfinished(level));
  }
  return edge_hashes_[level];
}

}  // namespace stele::store
