#include "client/audit/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "core/base/mutex.h"

namespace stele::client {
namespace {

class FirstError {
 public:
  void Note(size_t item, const absl::Status& status) STELE_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (!status_.ok() && item_ < item) return;
    item_ = item;
    status_ = status;
  }
  absl::Status Take() STELE_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return status_;
  }

 private:
  Mutex mutex_;
  size_t item_ STELE_GUARDED_BY(mutex_) = 0;
  absl::Status status_ STELE_GUARDED_BY(mutex_);
};

}  // namespace

absl::Status ParallelFor(size_t threads, size_t count,
                         absl::FunctionRef<absl::Status(size_t item)> work) {
  std::atomic<size_t> next{0};
  FirstError error;
  const auto run = [&] {
    for (size_t item = next++; item < count; item = next++) {
      const absl::Status status = work(item);
      if (status.ok()) continue;
      error.Note(item, status);
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (size_t i = 1; i < std::min(threads, count); ++i) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
  return error.Take();
}

}  // namespace stele::client
