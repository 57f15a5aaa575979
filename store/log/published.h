// The moment that everybody sees: switched by the writer once a commit is durable and in the guard,
// before its first acknowledgement. Any thread.
#pragma once

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "store/read/snapshot_reader.h"

namespace stele::store {

class Published {
 public:
  // UNAVAILABLE while the store is being reopened (milliseconds).
  absl::StatusOr<std::shared_ptr<const SnapshotReader>> Get() const STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (reader_ == nullptr) {
      return absl::UnavailableError("the store is being reopened; try again in a moment");
    }
    return reader_;
  }
  // Null: nothing can be read for now.
  void Set(std::shared_ptr<const SnapshotReader> reader) STELE_EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      reader_.swap(reader);
    }
    // The one before goes here, outside the lock: it may be the last to hold its files.
  }

 private:
  mutable Mutex mutex_;
  std::shared_ptr<const SnapshotReader> reader_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
