// Whether a handle still writes, and why not: set by the first write that failed, in front or in
// the background, and never taken back. Any thread.
#pragma once

#include <rocksdb/listener.h>

#include <memory>

#include "absl/status/status.h"
#include "core/base/mutex.h"

namespace stele::store {

class Poison {
 public:
  // The first cause stays.
  void Set(const absl::Status& cause);
  // OK while the handle writes.
  absl::Status cause() const;

 private:
  mutable Mutex mutex_;
  absl::Status cause_ STELE_GUARDED_BY(mutex_);
};

// Poisons on errors of flushes and compactions, and keeps RocksDB from resuming by itself: after a
// failed write nobody knows what is on the disk until the store is opened again.
std::shared_ptr<rocksdb::EventListener> PoisonOnBackgroundError(std::shared_ptr<Poison> poison);

}  // namespace stele::store
