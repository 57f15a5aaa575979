// The clock rules of formats §5: the writer stops, asking for --accept-clock, when the clock is
// over 5 s behind the last entry or jumps more than an hour ahead within one run. Pure but for what
// it remembers; one thread at a time.
#pragma once

#include <chrono>
#include <optional>

#include "absl/status/status.h"
#include "core/base/strong_int.h"

namespace stele::store {

class ClockWatch {
 public:
  explicit ClockWatch(bool accept) : accept_(accept) {}

  // `steady` was read together with `now`. CLOCK (UNAVAILABLE), saying what to do; always OK for a
  // writer that was told to accept its clock.
  absl::Status Check(TimeMs now, std::chrono::steady_clock::time_point steady, TimeMs last_logged);

 private:
  struct Reading {
    TimeMs now;
    std::chrono::steady_clock::time_point steady;
  };
  const bool accept_;
  std::optional<Reading> last_;
};

}  // namespace stele::store
