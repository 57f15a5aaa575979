#include "client/backoff.h"

#include <thread>

namespace stele::client {

absl::Status RetryWhileUnavailable(std::chrono::milliseconds timeout,
                                   const std::function<absl::Status()>& attempt,
                                   const std::function<void(const absl::Status&)>& notify) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  Backoff backoff;
  for (;;) {
    const absl::Status status = attempt();
    if (status.code() != absl::StatusCode::kUnavailable) return status;
    const std::chrono::milliseconds pause = backoff.Next();
    if (std::chrono::steady_clock::now() + pause >= deadline) return status;
    if (notify) notify(status);
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace stele::client
