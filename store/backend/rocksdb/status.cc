#include "store/backend/rocksdb/status.h"

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::store {

absl::Status FromRocksDb(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return absl::OkStatus();
  const std::string text = status.ToString();
  const std::string message = Concat(doing, ": ", text);
  if (status.IsNoSpace() || text.find("No space left on device") != std::string::npos) {
    return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "",
                  Concat(message, "; free some space, then reopen the store"));
  }
  // A file that RocksDB counts on and that is gone is damage, not weather.
  const bool gone = status.IsPathNotFound() || text.find("No such file") != std::string::npos;
  if ((status.IsIOError() && !gone) || status.IsBusy() || status.IsTimedOut() ||
      status.IsTryAgain() || status.IsIncomplete() || status.IsAborted() ||
      status.IsShutdownInProgress()) {
    return absl::UnavailableError(message);
  }
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "", message);
}

}  // namespace stele::store
