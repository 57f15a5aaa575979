// The moment that everybody sees: switched by the writer once a commit is durable and in the guard,
// before its first acknowledgement. Any thread.
#pragma once

#include <chrono>
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
      moved_.NotifyAll();
    }
    // The one before goes here, outside the lock: it may be the last to hold its files.
  }
  // Waits until the head is larger than `size`; false if the deadline passes before.
  bool WaitBeyond(TreeSize size, std::chrono::steady_clock::time_point deadline) const
      STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (reader_ == nullptr || reader_->head().size <= size) {
      if (!moved_.WaitUntil(mutex_, deadline)) {
        return reader_ != nullptr && reader_->head().size > size;
      }
    }
    return true;
  }
  // As WaitBeyond, without a deadline: until `stop` says so, which is asked again after Wake.
  template <class Stop>
  bool WaitBeyondUnless(TreeSize size, Stop stop) const STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!stop() && (reader_ == nullptr || reader_->head().size <= size)) moved_.Wait(mutex_);
    return !stop();
  }
  void Wake() const STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    moved_.NotifyAll();
  }

 private:
  mutable Mutex mutex_;
  mutable CondVar moved_;
  std::shared_ptr<const SnapshotReader> reader_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
