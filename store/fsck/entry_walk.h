// All entries in order, over damage.
#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "store/backend/backend.h"

namespace stele::store {

// Visits every entry below `size`: the row, or its DATA_LOSS (missing or damaged), and goes on. The
// error, if the store cannot be read just now.
absl::Status WalkEntries(
    const Snapshot& snapshot, TreeSize size,
    absl::FunctionRef<absl::Status(EntryIndex index, absl::StatusOr<EntryRow> row)> visit);

}  // namespace stele::store
