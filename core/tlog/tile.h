// Tiles of C2SP tlog-tiles: 256 hashes high 8 levels; `tile/<L>/<N>[.p/<W>]`, `tile/entries/…`.
// Tile (L, N) of width W holds the hashes of level 8·L from N·256 to N·256+W.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/hash_reader.h"

namespace stele {

struct TileId {
  static constexpr int kEntries = -1;  // level of an entry bundle
  int level = 0;                       // 0 to 63/8, or kEntries
  uint64_t number = 0;
  uint32_t width = 256;  // 1 to 256
  friend auto operator<=>(const TileId&, const TileId&) = default;
};

// "tile/0/x001/234.p/5" (no leading slash). Parse and format are inverse; nothing else parses.
std::string TilePath(const TileId& id);
std::optional<TileId> ParseTilePath(std::string_view path);

// Width of tile `number` at `level` in a tree of `size`; 0 if it does not exist there.
uint32_t TileWidth(int level, uint64_t number, TreeSize size);
// All tiles of a tree, entry bundles excluded, by level then number.
std::vector<TileId> TilesOf(TreeSize size);

// The hash of `node` out of the tile that holds it (tile bytes = width × 32). Node levels within
// the tile are computed, up to the root of a full tile. INVALID_ARGUMENT if the tile does not cover
// the node.
absl::StatusOr<Hash> HashFromTile(const TileId& tile, std::string_view bytes, const NodeId& node);
// The tile (full width) that holds `node`.
TileId TileForNode(const NodeId& node);

}  // namespace stele
