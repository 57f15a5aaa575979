#include "store/read/stored_tile.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/tile.h"

namespace stele::store {
namespace {

absl::Status TileDamaged(int level, uint64_t number, absl::string_view what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                absl::StrCat("tile ", level, "/", number, ": ", what));
}

absl::StatusOr<std::string> FromEntries(const Snapshot& snapshot, uint64_t number, uint32_t width) {
  const uint64_t begin = number * limits::kTileWidth;
  std::string bytes;
  bytes.reserve(width * Hash::kBytes);
  STELE_RETURN_IF_ERROR(
      snapshot.VisitEntries(EntryIndex{begin}, EntryIndex{begin + width}, [&](EntryRow row) {
        bytes.append(row.leaf_hash.bytes());
        return true;
      }));
  return bytes;
}

}  // namespace

absl::StatusOr<std::string> StoredTile(const Snapshot& snapshot, TreeSize size, int level,
                                       uint64_t number) {
  const uint32_t width = TileWidth(level, number, size);
  if (width == 0) return std::string();
  absl::StatusOr<std::string> bytes;
  if (level == 0 && width < limits::kTileWidth) {
    bytes = FromEntries(snapshot, number, width);
  } else {
    bytes = snapshot.Tile(level, number);
  }
  if (absl::IsNotFound(bytes.status())) return TileDamaged(level, number, "is missing");
  if (!bytes.ok()) return bytes;
  if (bytes->size() < width * Hash::kBytes) return TileDamaged(level, number, "is too short");
  bytes->resize(width * Hash::kBytes);
  return bytes;
}

absl::StatusOr<std::vector<Hash>> StoredHashReader::ReadHashes(absl::Span<const NodeId> ids) const {
  std::vector<Hash> hashes;
  hashes.reserve(ids.size());
  TileId held{.level = -2};
  std::string bytes;
  for (const NodeId& id : ids) {
    TileId tile = TileForNode(id);
    if (tile.level != held.level || tile.number != held.number) {
      STELE_ASSIGN_OR_RETURN(bytes, StoredTile(snapshot_, size_, tile.level, tile.number));
      held = tile;
    }
    tile.width = static_cast<uint32_t>(bytes.size() / Hash::kBytes);
    STELE_ASSIGN_OR_RETURN(Hash hash, HashFromTile(tile, bytes, id));
    hashes.push_back(hash);
  }
  return hashes;
}

}  // namespace stele::store
