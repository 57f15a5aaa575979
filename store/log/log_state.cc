#include "store/log/log_state.h"

#include <utility>

namespace stele::store {

LogState EmptyLog(std::string origin) {
  return LogState{.head = {.origin = std::move(origin),
                           .size = TreeSize{0},
                           .root = EmptyRoot(),
                           .last_logged = TimeMs{0},
                           .checkpoint = {}},
                  .ring = std::make_shared<const KeyRing>(),
                  .events = std::make_shared<const LogEvents>(),
                  .edge = std::make_shared<const TreeEdge>(),
                  .frontier = {}};
}

}  // namespace stele::store
