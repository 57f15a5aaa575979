// The derived index against one that is derived anew from its log, row by row.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/fsck/finding.h"
#include "store/index/index_store.h"

namespace stele::store {

struct IndexCheck {
  TreeSize applied;
  uint64_t rows = 0, records = 0;
};

// `log` is clean. Two walks: one over the entries that the index has applied, and what follows from
// them; one over its rows; and only if they differ a third one that says which rows are not there,
// or are others. Memory: that of one record. Errors are of reading the log; damage of the index is
// no error.
absl::StatusOr<IndexCheck> CheckIndexRows(
    const Snapshot& log, const IndexSnapshot& index, Findings& findings,
    const std::function<void(uint64_t done, uint64_t all)>& progress);

}  // namespace stele::store
