#include "store/log/clock_watch.h"

#include <string>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/time_text.h"

namespace stele::store {
namespace {

absl::Status Wrong(TimeMs now, const std::string& what) {
  return Refuse(absl::StatusCode::kUnavailable, reason::kClock, "",
                "publishing has stopped: the clock reads " + FormatTime(now) + ", " + what +
                    "; set the clock right and restart, or restart with --accept-clock");
}

}  // namespace

absl::Status ClockWatch::Check(TimeMs now, std::chrono::steady_clock::time_point steady,
                               TimeMs last_logged) {
  const std::optional<Reading> before = last_;
  last_ = Reading{now, steady};
  if (accept_) return absl::OkStatus();
  if (now.value() < last_logged.value() - limits::kClockBackMs) {
    return Wrong(now, "more than 5 s before the last entry, " + FormatTime(last_logged));
  }
  if (!before.has_value()) return absl::OkStatus();
  const int64_t passed =
      std::chrono::duration_cast<std::chrono::milliseconds>(steady - before->steady).count();
  if (now.value() > before->now.value() + passed + limits::kClockJumpMs) {
    return Wrong(now, "a jump of more than an hour after " + FormatTime(before->now));
  }
  return absl::OkStatus();
}

}  // namespace stele::store
