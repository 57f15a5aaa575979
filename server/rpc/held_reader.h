// A reader for a stream: renewed when it is old, so that a slow client does not pin files of the
// store. What it is used for never changes (content, entries below a known size).
#pragma once

#include <chrono>
#include <memory>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace stele::server {

class HeldReader {
 public:
  explicit HeldReader(const store::Store& store) : store_(store) {}

  // Valid until the next call. UNAVAILABLE if the store gives none.
  absl::StatusOr<const store::Reader*> Get() {
    const auto now = std::chrono::steady_clock::now();
    if (reader_ == nullptr || now - taken_ > kHold) {
      absl::StatusOr<std::shared_ptr<const store::Reader>> fresh = store_.GetReader();
      if (!fresh.ok()) return fresh.status();
      reader_ = *std::move(fresh);
      taken_ = now;
    }
    return reader_.get();
  }
  void Drop() { reader_.reset(); }

 private:
  static constexpr std::chrono::milliseconds kHold{500};

  const store::Store& store_;
  std::shared_ptr<const store::Reader> reader_;
  std::chrono::steady_clock::time_point taken_;
};

}  // namespace stele::server
