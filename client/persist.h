// Trying again as long as there is progress. Internal to this folder.
#pragma once

#include <chrono>
#include <functional>

#include "absl/status/status.h"

namespace stele::client {

// Calls `attempt` until it answers OK or something that waiting does not help, or it made no
// progress for `timeout`; gives the last answer. Helped by waiting: UNAVAILABLE, and
// RESOURCE_EXHAUSTED with a delay. `notify` may be empty.
absl::Status PersistWhileMoving(std::chrono::milliseconds timeout,
                                const std::function<absl::Status(bool& progress)>& attempt,
                                const std::function<void(const absl::Status&)>& notify);

}  // namespace stele::client
