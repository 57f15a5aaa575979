#include "core/tlog/tile.h"

#include <algorithm>

#include "absl/status/status.h"

namespace stele {
namespace {

constexpr int kHeight = 8;  // levels of the tree that one tile spans
constexpr int kMaxLevel = 63 / kHeight;
constexpr uint32_t kFullWidth = 256;

// Number of hashes that all tiles of a level hold together.
uint64_t HashesAt(int level, TreeSize size) { return size.value() >> (kHeight * level); }

}  // namespace

uint32_t TileWidth(int level, uint64_t number, TreeSize size) {
  if (level == TileId::kEntries) level = 0;
  if (level < 0 || level > kMaxLevel) return 0;
  const uint64_t hashes = HashesAt(level, size);
  if (number < hashes / kFullWidth) return kFullWidth;
  return number == hashes / kFullWidth ? static_cast<uint32_t>(hashes % kFullWidth) : 0;
}

std::vector<TileId> TilesOf(TreeSize size) {
  std::vector<TileId> tiles;
  for (int level = 0; level <= kMaxLevel; ++level) {
    for (uint64_t number = 0;; ++number) {
      const uint32_t width = TileWidth(level, number, size);
      if (width == 0) break;
      tiles.push_back({level, number, width});
    }
  }
  return tiles;
}

absl::StatusOr<Hash> HashFromTile(const TileId& tile, std::string_view bytes, const NodeId& node) {
  const int height = node.level - kHeight * tile.level;  // of the node above the tile's hashes
  if (tile.level < 0 || height < 0 || height > kHeight || node.level > 63 ||
      bytes.size() != tile.width * Hash::kBytes ||
      node.index >> (kHeight - height) != tile.number) {
    return absl::InvalidArgumentError("the tile does not cover the node, or has another length");
  }
  const size_t begin = (node.index & ((uint64_t{1} << (kHeight - height)) - 1)) << height;
  const size_t count = size_t{1} << height;
  if (begin + count > tile.width) {
    return absl::InvalidArgumentError("the node lies beyond the width of the tile");
  }
  std::vector<Hash> row;
  for (size_t i = begin; i < begin + count; ++i) {
    row.push_back(*Hash::FromBytes(bytes.substr(i * Hash::kBytes, Hash::kBytes)));
  }
  for (; row.size() > 1; row.resize(row.size() / 2)) {
    for (size_t i = 0; i < row.size() / 2; ++i) row[i] = NodeHash(row[2 * i], row[2 * i + 1]);
  }
  return row.front();
}

TileId TileForNode(const NodeId& node) {
  const int height = node.level % kHeight;
  return {node.level / kHeight, node.index >> (kHeight - height), kFullWidth};
}

}  // namespace stele
