#include "store/read/tile_cache.h"

namespace stele::store {

std::shared_ptr<const TileHashes> TileCache::Find(const Key& key) {
  MutexLock lock(mutex_);
  auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  order_.splice(order_.begin(), order_, place->second);
  return place->second->second;
}

void TileCache::Insert(const Key& key, std::shared_ptr<const TileHashes> tile) {
  MutexLock lock(mutex_);
  if (places_.contains(key) || capacity_ == 0) return;
  if (order_.size() >= capacity_) {
    places_.erase(order_.back().first);
    order_.pop_back();
  }
  order_.emplace_front(key, std::move(tile));
  places_[key] = order_.begin();
}

}  // namespace stele::store
