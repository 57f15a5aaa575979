#include "store/log/clock.h"

#include <chrono>

namespace stele::store {

Clock SystemClock() {
  return [] {
    auto since = std::chrono::system_clock::now().time_since_epoch();
    return TimeMs{std::chrono::duration_cast<std::chrono::milliseconds>(since).count()};
  };
}

}  // namespace stele::store
