#include "tools/hammer/measure.h"

#include <algorithm>
#include <cmath>

namespace stele::tools {

void Tally::Merge(const Tally& other) {
  latencies_.insert(latencies_.end(), other.latencies_.begin(), other.latencies_.end());
  for (const auto& [message, count] : other.failures_) failures_[message] += count;
}

size_t Tally::failed() const {
  size_t sum = 0;
  for (const auto& [message, count] : failures_) sum += count;
  return sum;
}

double Tally::QuantileUs(double share) const {
  if (latencies_.empty()) return 0;
  std::vector<Nanoseconds> sorted = latencies_;
  auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  rank = std::min(std::max<size_t>(rank, 1), sorted.size()) - 1;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(rank), sorted.end());
  return static_cast<double>(sorted[rank].count()) / 1000.0;
}

}  // namespace stele::tools
