// The reader over one snapshot. Made once for each head by whoever moves it (the writer, recovery)
// and shared by all who read; the right edge and the key ring of that moment are held in memory, so
// that proofs of new entries read and hash nothing twice.
//
// Immutable to its callers; any thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/merkle/hash_reader.h"
#include "core/statement/key_ring.h"
#include "core/tlog/tree_edge.h"
#include "store/read/reader.h"
#include "store/read/tile_cache.h"

namespace stele::store {

class SnapshotReader final : public Reader, private HashReader {
 public:
  // `ring`, `events` and `edge` are those of the snapshot's head, which must be there and have
  // their size: else INTERNAL. Tiles that `edge` has just finished are put into `cache`.
  static absl::StatusOr<std::shared_ptr<const SnapshotReader>> Make(
      std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const KeyRing> ring,
      std::shared_ptr<const LogEvents> events, std::shared_ptr<const TreeEdge> edge,
      std::shared_ptr<TileCache> cache);

  const Head& head() const override { return *snapshot_->head(); }
  absl::StatusOr<std::string> Content(const Digest& digest) const override;
  absl::StatusOr<ArtifactRow> Artifact(const Digest& digest) const override;
  absl::StatusOr<std::string> ArtifactChunk(const ArtifactRow& artifact,
                                            uint64_t number) const override;
  absl::StatusOr<bool> HasContent(const Digest& digest) const override;
  absl::StatusOr<std::vector<Digest>> ContentByPrefix(std::string_view hex,
                                                      size_t limit) const override;
  absl::StatusOr<EntryRow> Entry(EntryIndex index) const override;
  absl::Status VisitEntries(EntryIndex begin, EntryIndex end,
                            const std::function<bool(EntryRow)>& visit) const override;
  absl::StatusOr<std::string> Tile(const TileId& id) const override;
  absl::StatusOr<Proof> Inclusion(EntryIndex index) const override;
  absl::StatusOr<Hash> RootAt(TreeSize size) const override;
  absl::StatusOr<Proof> InclusionAt(EntryIndex index, TreeSize size) const override;
  absl::StatusOr<Proof> Consistency(TreeSize from, TreeSize to) const override;
  absl::StatusOr<Publications> PublicationsOf(const Digest& record) const override;
  absl::StatusOr<Subjects> SubjectsOf(const Digest& subject) const override;
  std::optional<EntryIndex> WithheldBy(const Digest& digest) const override {
    return events_->WithheldBy(*ring_, digest);
  }
  const KeyRing& ring() const override { return *ring_; }
  const LogEvents& events() const override { return *events_; }

  const Snapshot& snapshot() const { return *snapshot_; }
  // head().checkpoint, in a copy that does not hold the snapshot.
  const std::shared_ptr<const std::string>& checkpoint() const { return checkpoint_; }

 private:
  SnapshotReader(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const KeyRing> ring,
                 std::shared_ptr<const LogEvents> events, std::shared_ptr<const TreeEdge> edge,
                 std::shared_ptr<TileCache> cache);
  absl::Status CheckNotWithheld(const Digest& digest) const;
  absl::Status CheckReached(TreeSize size) const;
  absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const override;
  absl::StatusOr<std::shared_ptr<const TileHashes>> Hashes(int level, uint64_t number) const;
  std::shared_ptr<const TileHashes> EdgeHashes(size_t level) const STELE_EXCLUDES(mutex_);
  absl::StatusOr<std::string> EntryBundle(uint64_t number, uint32_t width) const;

  const std::shared_ptr<const Snapshot> snapshot_;
  const std::shared_ptr<const KeyRing> ring_;
  const std::shared_ptr<const LogEvents> events_;
  const std::shared_ptr<const TreeEdge> edge_;
  const std::shared_ptr<TileCache> cache_;
  const std::shared_ptr<const std::string> checkpoint_;
  mutable Mutex mutex_;
  // Of the unfinished tile of each level; made when first asked for.
  mutable std::vector<std::shared_ptr<const TileHashes>> edge_hashes_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
