#include "core/tlog/tree_edge.h"

#include <utility>

#include "core/merkle/proof.h"

namespace stele {
namespace {

constexpr int kHeight = 8;

// Number of tile levels of a tree.
size_t LevelsOf(TreeSize size) {
  size_t levels = 0;
  for (uint64_t hashes = size.value(); hashes != 0; hashes >>= kHeight) ++levels;
  return levels;
}

// Number of the unfinished tile at a level.
uint64_t UnfinishedNumber(int level, TreeSize size) {
  const int shift = kHeight * (level + 1);
  return shift >= 64 ? 0 : size.value() >> shift;
}

}  // namespace

absl::StatusOr<TreeEdge> TreeEdge::FromTiles(TreeSize size, const std::vector<std::string>& tiles) {
  if (tiles.size() != LevelsOf(size)) {
    return absl::InvalidArgumentError("another number of tile levels than the size demands");
  }
  TreeEdge edge;
  edge.size_ = size;
  edge.levels_.resize(tiles.size());
  for (size_t level = 0; level < tiles.size(); ++level) {
    const int at = static_cast<int>(level);
    const size_t width = TileWidth(at, UnfinishedNumber(at, size), size);
    const std::string_view bytes = tiles[level];
    if (bytes.size() != width * Hash::kBytes) {
      return absl::InvalidArgumentError("a tile of another width than the size demands");
    }
    for (size_t i = 0; i < width; ++i) {
      edge.levels_[level].Append(*Hash::FromBytes(bytes.substr(i * Hash::kBytes, Hash::kBytes)));
    }
  }
  return edge;
}

void TreeEdge::Append(const Hash& leaf_hash) {
  Hash carry = leaf_hash;
  for (size_t level = 0;; ++level) {
    if (level == levels_.size()) levels_.emplace_back();
    TileRows& tile = levels_[level];
    tile.Append(carry);
    if (!tile.full()) break;
    carry = tile.Root();
    const int at = static_cast<int>(level);
    const TileId id{at, UnfinishedNumber(at, size_)};
    finished_.push_back({id, tile.Bytes()});
    finished_rows_.emplace(id, std::exchange(tile, TileRows()));
  }
  ++size_;
}

// Every subtree at the edge is complete in an unfinished tile, so reading cannot fail.
Hash TreeEdge::Root() const { return *MakeRoot(*this, size_); }

const TileRows* TreeEdge::Find(const TileId& id) const {
  if (const auto finished = finished_rows_.find(id); finished != finished_rows_.end()) {
    return &finished->second;
  }
  const size_t level = static_cast<size_t>(id.level);
  if (level < levels_.size() && id.number == UnfinishedNumber(id.level, size_)) {
    return &levels_[level];
  }
  return nullptr;
}

absl::StatusOr<std::vector<Hash>> TreeEdge::ReadHashes(absl::Span<const NodeId> ids) const {
  std::vector<Hash> hashes;
  hashes.reserve(ids.size());
  for (const NodeId& id : ids) {
    const TileId tile = TileForNode(id);
    const TileRows* rows = Find(tile);
    const int height = id.level % kHeight;
    const std::optional<Hash> hash =
        rows == nullptr ? std::nullopt
                        : rows->At(height, id.index - (tile.number << (kHeight - height)));
    if (!hash) return absl::NotFoundError("the node is not on the edge of the tree");
    hashes.push_back(*hash);
  }
  return hashes;
}

}  // namespace stele
