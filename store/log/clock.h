// The store's clock, handed in, so that tests bring their own.
#pragma once

#include <functional>

#include "core/base/strong_int.h"
#include "store/backend/event_log.h"

namespace stele::store {

// Now, in milliseconds. Called from the store's own threads.
using Clock = std::function<TimeMs()>;
Clock SystemClock();

}  // namespace stele::store
