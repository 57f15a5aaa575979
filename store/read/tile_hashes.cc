#include "store/read/tile_hashes.h"

#include "core/base/limits.h"
#include "core/base/refusal.h"

namespace stele::store {

TileHashes::TileHashes(absl::Span<const Hash> stored) {
  rows_.emplace_back(stored.begin(), stored.end());
  for (int height = 1; height < 8 && rows_.back().size() > 1; ++height) {
    const std::vector<Hash>& below = rows_.back();
    std::vector<Hash> row;
    row.reserve(below.size() / 2);
    for (size_t i = 0; i + 1 < below.size(); i += 2)
      row.push_back(NodeHash(below[i], below[i + 1]));
    rows_.push_back(std::move(row));
  }
}

absl::StatusOr<TileHashes> TileHashes::FromBytes(std::string_view bytes) {
  if (bytes.size() % Hash::kBytes != 0 || bytes.size() > limits::kTileWidth * Hash::kBytes) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  "a stored tile does not consist of whole hashes");
  }
  std::vector<Hash> stored;
  stored.reserve(bytes.size() / Hash::kBytes);
  for (; !bytes.empty(); bytes.remove_prefix(Hash::kBytes)) {
    stored.push_back(*Hash::FromBytes(bytes.substr(0, Hash::kBytes)));
  }
  return TileHashes(stored);
}

const Hash* TileHashes::Find(int height, uint64_t offset) const {
  if (height < 0 || static_cast<size_t>(height) >= rows_.size()) return nullptr;
  const std::vector<Hash>& row = rows_[static_cast<size_t>(height)];
  return offset < row.size() ? &row[offset] : nullptr;
}

}  // namespace stele::store
