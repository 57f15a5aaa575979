#include "core/tlog/tile_rows.h"

namespace stele {

void TileRows::Append(const Hash& hash) {
  rows_[0].push_back(hash);
  for (size_t height = 0; height + 1 < rows_.size(); ++height) {
    const std::vector<Hash>& row = rows_[height];
    if (row.size() % 2 != 0) return;
    rows_[height + 1].push_back(NodeHash(row[row.size() - 2], row.back()));
  }
}

Hash TileRows::Root() const { return NodeHash(rows_.back().front(), rows_.back().back()); }

std::string TileRows::Bytes() const {
  std::string bytes;
  bytes.reserve(bottom().size() * Hash::kBytes);
  for (const Hash& hash : bottom()) bytes += hash.bytes();
  return bytes;
}

std::optional<Hash> TileRows::At(int height, uint64_t position) const {
  const std::vector<Hash>& row = rows_[static_cast<size_t>(height)];
  if (position >= row.size()) return std::nullopt;
  return row[position];
}

}  // namespace stele
