// What a run of stele-hammer measured.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace stele::tools {

using Nanoseconds = std::chrono::nanoseconds;

// Latencies and failures of one thread of load. One thread at a time.
class Tally {
 public:
  explicit Tally(size_t expected) { latencies_.reserve(expected); }
  void Done(Nanoseconds latency) { latencies_.push_back(latency); }
  void Failed(const absl::Status& status) { ++failures_[status.ToString()]; }
  void Merge(const Tally& other);

  size_t done() const { return latencies_.size(); }
  size_t failed() const;
  // By message, how often.
  const std::map<std::string, size_t>& failures() const { return failures_; }
  // Microseconds below which this share (0 to 1) of the latencies lies; 0 if there are none.
  double QuantileUs(double share) const;

 private:
  std::vector<Nanoseconds> latencies_;
  std::map<std::string, size_t> failures_;
};

}  // namespace stele::tools
