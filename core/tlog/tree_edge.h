// The growing tree as its writer sees it: of each tile level the one unfinished tile (at most 255
// hashes), and the tiles that appending finished. Memory does not grow with the log. A copy costs
// some 16 KiB a level.
//
// Also a HashReader for nodes on the right edge and for the tiles finished since the last
// ForgetFinished(): enough to prove inclusion of every entry appended since. One thread at a time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/frontier.h"
#include "core/merkle/hash_reader.h"
#include "core/tlog/tile.h"
#include "core/tlog/tile_rows.h"

namespace stele {

class TreeEdge final : public HashReader {
 public:
  TreeEdge() = default;  // the empty tree
  // From the unfinished tile of each level, lowest first, each width × 32 bytes, as they follow
  // from `size` (an empty string where the width is 0). INVALID_ARGUMENT if a length is not what
  // size says.
  static absl::StatusOr<TreeEdge> FromTiles(TreeSize size, const std::vector<std::string>& tiles);

  TreeSize size() const { return size_; }
  void Append(const Hash& leaf_hash);
  Hash Root() const;

  // Number of levels with a tile (0 for the empty tree), and the unfinished tile of a level, which
  // may be empty.
  size_t levels() const { return levels_.size(); }
  const std::vector<Hash>& unfinished(size_t level) const { return levels_[level].bottom(); }

  struct FinishedTile {
    TileId id;
    std::string bytes;  // 256 × 32
  };
  const std::vector<FinishedTile>& finished() const { return finished_; }
  void ForgetFinished() {
    finished_.clear();
    finished_rows_.clear();
  }

  absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const override;

 private:
  const TileRows* Find(const TileId& id) const;  // null if it is not held

  TreeSize size_;
  std::vector<TileRows> levels_;
  std::vector<FinishedTile> finished_;
  std::map<TileId, TileRows> finished_rows_;  // the same tiles, with their inner nodes
};

}  // namespace stele
