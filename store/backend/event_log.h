// Where the store says what an operator should know.
#pragma once

#include <functional>
#include <string_view>

namespace stele::store {

// One line per event, for the operator's log. Severity as in spdlog: "info", "warning", "error".
// Called from the store's threads; must not call back into the store.
using EventLog = std::function<void(std::string_view severity, std::string_view message)>;

}  // namespace stele::store
