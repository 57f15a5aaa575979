// Full tiles that were used lately, with the nodes inside them. A full tile never changes, so what
// is here stays right for every later moment. Any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "core/base/mutex.h"
#include "store/read/tile_hashes.h"

namespace stele::store {

class TileCache {
 public:
  using Key = std::pair<int, uint64_t>;  // level, number

  // About 16 KiB a tile.
  explicit TileCache(size_t tiles = 256) : capacity_(tiles) {}

  std::shared_ptr<const TileHashes> Find(const Key& key) STELE_EXCLUDES(mutex_);
  void Insert(const Key& key, std::shared_ptr<const TileHashes> tile) STELE_EXCLUDES(mutex_);

 private:
  using Order = std::list<std::pair<Key, std::shared_ptr<const TileHashes>>>;

  const size_t capacity_;
  Mutex mutex_;
  Order order_ STELE_GUARDED_BY(mutex_);  // latest first
  absl::flat_hash_map<Key, Order::iterator> places_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
