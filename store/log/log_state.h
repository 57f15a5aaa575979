// The writer's state between two commits. A value of shared immutable parts: cheap to copy.
#pragma once

#include <memory>
#include <string>

#include "core/merkle/frontier.h"
#include "core/replay/events.h"
#include "core/statement/key_ring.h"
#include "core/tlog/tree_edge.h"
#include "store/backend/backend.h"

namespace stele::store {

// Moves forward only by a plan that was committed.
struct LogState {
  Head head;
  std::shared_ptr<const KeyRing> ring;
  std::shared_ptr<const LogEvents> events;  // grows with administrative events only, as the ring
  std::shared_ptr<const TreeEdge> edge;     // may still hold the tiles that the last plan finished
  Frontier frontier;                        // second, independent computation of the root
};

// Before genesis: size 0, the empty tree's root, no key.
LogState EmptyLog(std::string origin);

}  // namespace stele::store
