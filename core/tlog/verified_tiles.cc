#include "core/tlog/verified_tiles.h"

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/merkle/proof.h"

namespace stele {
namespace {

constexpr int kHeight = 8;
constexpr int kLevels = 63 / kHeight + 1;

absl::Status Mismatch(const TileId& id, std::string_view what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kTileMismatch, "",
                Concat(TilePath(id), ": ", what));
}

// Nodes out of unfinished tiles, while they are still to be proven.
class EdgeReader final : public HashReader {
 public:
  EdgeReader(const std::map<std::pair<int, uint64_t>, std::string>& tiles, TreeSize size)
      : tiles_(tiles), size_(size) {}

  absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const override {
    std::vector<Hash> hashes;
    for (const NodeId& id : ids) {
      TileId tile = TileForNode(id);
      tile.width = TileWidth(tile.level, tile.number, size_);
      const auto found = tiles_.find({tile.level, tile.number});
      if (found == tiles_.end()) return absl::InternalError("the root needs a finished tile");
      STELE_ASSIGN_OR_RETURN(hashes.emplace_back(), HashFromTile(tile, found->second, id));
    }
    return hashes;
  }

 private:
  const std::map<std::pair<int, uint64_t>, std::string>& tiles_;
  const TreeSize size_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<VerifiedTiles>> VerifiedTiles::Open(const TileSource& source,
                                                                   TreeSize size, const Hash& root,
                                                                   size_t max_tiles) {
  std::unique_ptr<VerifiedTiles> tiles(new VerifiedTiles(source, size, max_tiles));
  STELE_RETURN_IF_ERROR(tiles->ReadEdge(root));
  return tiles;
}

// Every hash of an unfinished tile is below a node that the root is made of, and no hash of a
// finished one is: that node is in a tile above.
absl::Status VerifiedTiles::ReadEdge(const Hash& root) {
  std::string names;
  for (int level = 0; level < kLevels; ++level) {
    const uint64_t number = (size_.value() >> (kHeight * level)) / limits::kTileWidth;
    const TileId id{level, number, TileWidth(level, number, size_)};
    if (id.width == 0) continue;
    STELE_ASSIGN_OR_RETURN(edge_[Key(level, number)], Fetch(id));
    names += Concat(names.empty() ? "" : ", ", TilePath(id));
  }
  STELE_ASSIGN_OR_RETURN(const Hash found, MakeRoot(EdgeReader(edge_, size_), size_));
  if (found == root) return absl::OkStatus();
  return Refuse(absl::StatusCode::kDataLoss, reason::kTileMismatch, "",
                Concat(names.empty() ? "no tile" : names, ": lead to the root ", found.ToText(),
                       ", the tree of ", size_.value(), " entries has ", root.ToText()));
}

absl::StatusOr<std::string> VerifiedTiles::Fetch(const TileId& id) const {
  STELE_ASSIGN_OR_RETURN(std::string bytes, source_.ReadTile(id));
  ++fetched_;
  if (bytes.size() == id.width * Hash::kBytes) return bytes;
  return Mismatch(id, Concat(bytes.size(), " bytes, expected ", id.width * Hash::kBytes));
}

absl::StatusOr<const std::string*> VerifiedTiles::VerifiedTile(const TileId& id) const {
  const Key key(id.level, id.number);
  if (const auto edge = edge_.find(key); edge != edge_.end()) return &edge->second;
  if (const auto known = full_.find(key); known != full_.end()) return &known->second;
  const NodeId above{kHeight * (id.level + 1), id.number};
  STELE_ASSIGN_OR_RETURN(const Hash expected, ReadHash(above));
  STELE_ASSIGN_OR_RETURN(std::string bytes, Fetch(id));
  STELE_ASSIGN_OR_RETURN(const Hash found, HashFromTile(id, bytes, above));
  if (found != expected) return Mismatch(id, "its hashes are not those of the tree");
  if (full_.size() >= max_tiles_) full_.clear();
  return &full_.insert_or_assign(key, std::move(bytes)).first->second;
}

absl::StatusOr<Hash> VerifiedTiles::ReadHash(const NodeId& id) const {
  TileId tile = TileForNode(id);
  tile.width = TileWidth(tile.level, tile.number, size_);
  if (tile.width == 0) {
    return absl::InvalidArgumentError(Concat("the tree of ", size_.value(), " entries has no node ",
                                             id.index, " at level ", id.level));
  }
  STELE_ASSIGN_OR_RETURN(const std::string* const bytes, VerifiedTile(tile));
  return HashFromTile(tile, *bytes, id);
}

absl::StatusOr<std::vector<Hash>> VerifiedTiles::ReadHashes(absl::Span<const NodeId> ids) const {
  std::vector<Hash> hashes;
  hashes.reserve(ids.size());
  for (const NodeId& id : ids) {
    STELE_ASSIGN_OR_RETURN(const Hash hash, ReadHash(id));
    hashes.push_back(hash);
  }
  return hashes;
}

}  // namespace stele
