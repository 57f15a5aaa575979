// Whether the disk has room above the reserve. Asks the backend at most every 100 ms. Any thread.
#pragma once

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "store/backend/backend.h"

namespace stele::store {

class DiskWatch {
 public:
  explicit DiskWatch(uint64_t reserve_bytes) : reserve_bytes_(reserve_bytes) {}

  // OK, or DISK_FULL (RESOURCE_EXHAUSTED); UNAVAILABLE if the backend cannot say.
  absl::Status Check(const Backend& backend) STELE_EXCLUDES(mutex_);

 private:
  absl::Status Ask(const Backend& backend) const;

  const uint64_t reserve_bytes_;
  Mutex mutex_;
  std::chrono::steady_clock::time_point next_ STELE_GUARDED_BY(mutex_);
  absl::Status answer_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
