// The index in memory: for stores without a folder, and for who compares. Any thread.
#pragma once

#include <memory>

#include "store/index/index_store.h"

namespace stele::store {

// Empty, of no log.
std::unique_ptr<IndexStore> MakeMemoryIndex();

}  // namespace stele::store
