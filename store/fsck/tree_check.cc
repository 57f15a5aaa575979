#include "store/fsck/tree_check.h"

#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/tlog/tile.h"

namespace stele::store {
namespace {

std::string NameOf(int level, uint64_t number) { return Concat(level, "/", number); }

}  // namespace

absl::Status TreeCheck::Append(const std::optional<Hash>& leaf_hash) {
  if (broken_) return absl::OkStatus();
  std::optional<Hash> hash = leaf_hash;
  if (!hash) {
    STELE_ASSIGN_OR_RETURN(hash, HashFromTile(edge_.size().value()));
  }
  broken_ = !hash.has_value();
  if (broken_) return absl::OkStatus();
  edge_.Append(*hash);
  for (const TreeEdge::FinishedTile& tile : edge_.finished()) {
    STELE_RETURN_IF_ERROR(Compare(tile.id, tile.bytes));
  }
  edge_.ForgetFinished();
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Hash>> TreeCheck::HashFromTile(uint64_t index) const {
  const absl::StatusOr<std::string> tile = snapshot_.Tile(0, index / limits::kTileWidth);
  const size_t at = index % limits::kTileWidth * Hash::kBytes;
  if (absl::IsUnavailable(tile.status())) return tile.status();
  if (!tile.ok() || tile->size() < at + Hash::kBytes) return std::optional<Hash>();
  return Hash::FromBytes(std::string_view(*tile).substr(at, Hash::kBytes));
}

absl::Status TreeCheck::Compare(const TileId& id, const std::string& expected) {
  ++tiles_;
  const absl::StatusOr<std::string> stored = snapshot_.Tile(id.level, id.number);
  if (absl::IsUnavailable(stored.status())) return stored.status();
  const std::string name = NameOf(id.level, id.number);
  if (absl::IsNotFound(stored.status())) {
    findings_.Add("tile", name, "is missing", kRebuild);
  } else if (!stored.ok()) {
    findings_.Add("tile", name, std::string(stored.status().message()), kRebuild);
  } else if (*stored != expected) {
    findings_.Add("tile", name,
                  Concat("is not what the entries lead to: ", stored->size() / Hash::kBytes,
                         " hashes stand there, ", expected.size() / Hash::kBytes, " were expected"),
                  kRebuild);
  }
  return absl::OkStatus();
}

absl::Status TreeCheck::Finish() {
  if (!broken_) STELE_RETURN_IF_ERROR(CompareUnfinished());
  return FindOthers();
}

absl::Status TreeCheck::CompareUnfinished() {
  for (size_t level = 1; level < edge_.levels(); ++level) {
    std::string expected;
    for (const Hash& hash : edge_.unfinished(level)) expected.append(hash.bytes());
    if (expected.empty()) continue;
    const uint64_t number = (edge_.size().value() >> (8 * level)) / limits::kTileWidth;
    STELE_RETURN_IF_ERROR(Compare({.level = static_cast<int>(level), .number = number}, expected));
  }
  return absl::OkStatus();
}

absl::Status TreeCheck::FindOthers() {
  const TreeSize size = snapshot_.head()->size;
  const absl::Status read = snapshot_.VisitRows(RowKind::kTile, [&](absl::StatusOr<AnyRow> row) {
    if (!row.ok()) {
      findings_.AddRow("tile", row.status(), kRebuild);
      return true;
    }
    const TileRow& tile = std::get<TileRow>(*row);
    const uint32_t width = tile.level < 8 ? TileWidth(tile.level, tile.number, size) : 0;
    if (width == 0 || (tile.level == 0 && width < limits::kTileWidth)) {
      findings_.Add("tile", NameOf(tile.level, tile.number),
                    Concat("does not belong to the tree of size ", size.value()), kRebuild);
    }
    return true;
  });
  if (absl::IsDataLoss(read)) {
    findings_.Add("tile", "", std::string(read.message()), kRebuild);
    return absl::OkStatus();
  }
  return read;
}

std::optional<Hash> TreeCheck::Root() const {
  if (broken_) return std::nullopt;
  return edge_.Root();
}

}  // namespace stele::store
