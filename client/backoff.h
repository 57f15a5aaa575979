// Growing pauses between tries.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <random>

#include "absl/status/status.h"

namespace stele::client {

// Doubles up to a limit; a random part keeps many clients from coming back together.
class Backoff {
 public:
  void Reset() { pause_ = kFirst; }
  std::chrono::milliseconds Next() {
    std::uniform_int_distribution<int64_t> part(pause_.count() / 2, pause_.count());
    pause_ = std::min(pause_ * 2, kLast);
    return std::chrono::milliseconds(part(random_));
  }

 private:
  static constexpr std::chrono::milliseconds kFirst{50};
  static constexpr std::chrono::milliseconds kLast{2000};
  std::minstd_rand random_{std::random_device{}()};
  std::chrono::milliseconds pause_ = kFirst;
};

// Calls `attempt` until it answers anything but UNAVAILABLE, or `timeout` has passed since the
// first call; gives the last answer. `notify` hears of every failure that is followed by another
// try.
absl::Status RetryWhileUnavailable(std::chrono::milliseconds timeout,
                                   const std::function<absl::Status()>& attempt,
                                   const std::function<void(const absl::Status&)>& notify);

}  // namespace stele::client
