// The store's clock and its voice: both handed in, so that tests bring their own.
#pragma once

#include <functional>
#include <string_view>

#include "core/base/strong_int.h"

namespace stele::store {

// Now, in milliseconds. Called from the writer's thread.
using Clock = std::function<TimeMs()>;
Clock SystemClock();

// One line per event, for the operator's log. Severity as in spdlog: "info", "warning", "error".
// Called from the store's threads; must not call back into the store.
using EventLog = std::function<void(std::string_view severity, std::string_view message)>;

}  // namespace stele::store
