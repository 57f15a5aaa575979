#include "client/persist.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "client/backoff.h"
#include "client/status.h"

namespace stele::client {
namespace {

bool MayPass(const absl::Status& status) {
  if (absl::IsUnavailable(status)) return true;
  return absl::IsResourceExhausted(status) && RetryDelayOf(status).has_value();
}

}  // namespace

absl::Status PersistWhileMoving(std::chrono::milliseconds timeout,
                                const std::function<absl::Status(bool& progress)>& attempt,
                                const std::function<void(const absl::Status&)>& notify) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline = Clock::now() + timeout;
  Backoff backoff;
  for (;;) {
    bool progress = false;
    const absl::Status status = attempt(progress);
    if (status.ok() || !MayPass(status)) return status;
    if (progress) {
      deadline = Clock::now() + timeout;
      backoff.Reset();
    }
    const std::chrono::milliseconds wish =
        RetryDelayOf(status).value_or(std::chrono::milliseconds(0));
    const std::chrono::milliseconds pause = std::max(backoff.Next(), wish);
    if (Clock::now() + pause >= deadline) return status;
    if (notify) notify(status);
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace stele::client
