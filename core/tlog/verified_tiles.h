// A tree read from tiles that nobody vouches for: each tile is proven to belong to the tree before
// a hash of it is used, and kept, so that it is fetched and proven once.
//
// The unfinished tiles of all levels lead to the root together; a full tile leads to its hash in
// the tile above. Nothing else is taken: a source can leave tiles out, it cannot change them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/hash_reader.h"
#include "core/tlog/tile.h"

namespace stele {

// Where tiles come from. Errors are passed on as they are.
class TileSource {
 public:
  virtual ~TileSource() = default;
  // The bytes of a tile of hashes at its width; not verified.
  virtual absl::StatusOr<std::string> ReadTile(const TileId& id) const = 0;
};

// One thread at a time. Memory: 8 KiB a tile, at most `max_tiles` of them besides the unfinished
// ones.
class VerifiedTiles final : public HashReader {
 public:
  static constexpr size_t kDefaultTiles = 4096;

  // The tree of `size` with `root`, which the caller trusts (a verified checkpoint). Reads the
  // unfinished tile of each level. `source` outlives the reader. TILE_MISMATCH (DATA_LOSS) if they
  // do not lead to the root; the source's errors.
  static absl::StatusOr<std::unique_ptr<VerifiedTiles>> Open(const TileSource& source,
                                                             TreeSize size, const Hash& root,
                                                             size_t max_tiles = kDefaultTiles);

  TreeSize size() const { return size_; }

  // Nodes of the tree of size(). TILE_MISMATCH (DATA_LOSS), naming the tile, if the source's tile
  // is not that of the tree; INVALID_ARGUMENT for a node that is not in the tree.
  absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const override;

  // Fetched from the source so far.
  uint64_t fetched() const { return fetched_; }

 private:
  using Key = std::pair<int, uint64_t>;  // level, number

  VerifiedTiles(const TileSource& source, TreeSize size, size_t max_tiles)
      : source_(source), size_(size), max_tiles_(max_tiles) {}
  absl::Status ReadEdge(const Hash& root);
  absl::StatusOr<std::string> Fetch(const TileId& id) const;
  absl::StatusOr<Hash> ReadHash(const NodeId& id) const;
  absl::StatusOr<const std::string*> VerifiedTile(const TileId& id) const;

  const TileSource& source_;
  const TreeSize size_;
  const size_t max_tiles_;
  std::map<Key, std::string> edge_;          // unfinished tiles
  mutable std::map<Key, std::string> full_;  // proven, up to max_tiles_
  mutable uint64_t fetched_ = 0;
};

}  // namespace stele
