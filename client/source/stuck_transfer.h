// Tells bytes that are bad from a line that is: a transfer that ends at the same byte every time,
// on a connection that is fine, is of something that the source does not have whole. One thread.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele::client {

class StuckTransfer {
 public:
  // Where a transfer ended too early, or nothing if that was the line's fault.
  void Note(std::optional<uint64_t> broken_at) {
    times_ = broken_at.has_value() && broken_at == at_ ? times_ + 1 : 1;
    at_ = broken_at;
  }

  // What all tries together came to: DATA_LOSS in place of an UNAVAILABLE that tells of damage.
  absl::Status Judge(const absl::Status& last) const {
    if (!absl::IsUnavailable(last) || !at_ || times_ < kTimes) return last;
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  Concat(std::string(last.message()), " (", times_, " times, at byte ", *at_,
                         "): the source does not have it whole"));
  }

 private:
  static constexpr int kTimes = 3;
  std::optional<uint64_t> at_;
  int times_ = 0;
};

}  // namespace stele::client
