#include "store/log/disk_watch.h"

#include "absl/strings/str_cat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {

absl::Status DiskWatch::Check(const Backend& backend) {
  MutexLock lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (now >= next_) {
    answer_ = Ask(backend);
    next_ = now + std::chrono::milliseconds(100);
  }
  return answer_;
}

absl::Status DiskWatch::Ask(const Backend& backend) const {
  STELE_ASSIGN_OR_RETURN(const uint64_t free, backend.FreeBytes());
  if (free >= reserve_bytes_) return absl::OkStatus();
  return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "",
                absl::StrCat("the disk has ", free, " bytes free, less than the reserve of ",
                             reserve_bytes_, "; publishing goes on when there is room again"));
}

}  // namespace stele::store
