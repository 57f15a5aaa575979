// Brings an index up to a moment of its log, batch by batch. One thread at a time.
//
// Memory: limits::kIndexBatchBytes of rows and one record's content. A statement whose rows are
// more is written in parts, the position staying below it until the last.
#pragma once

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/index/index_store.h"

namespace stele::store {

// Whether what the index holds follows from this log: FAILED_PRECONDITION, saying why, if it is
// another's, or of a history that this one is not (ahead of it, or of another root). DATA_LOSS and
// UNAVAILABLE are the log's.
absl::Status CheckIndexPosition(const Snapshot& log, const IndexPosition& position);

class IndexApplier {
 public:
  // `index` holds what CheckIndexPosition allowed. `stop` is asked often, and may be empty: once it
  // is true a batch ends with CANCELLED.
  IndexApplier(IndexStore& index, IndexPosition position, std::function<bool()> stop)
      : index_(index), position_(std::move(position)), stop_(std::move(stop)) {}

  const IndexPosition& position() const { return position_; }
  // Takes the next entries in: some, at least one if there is one. Errors are the log's and the
  // index's; what was written before one stands.
  absl::Status ApplyBatch(const Snapshot& log);

 private:
  absl::Status Apply(const Snapshot& log, const EntryRow& row);
  absl::Status WriteOut(const IndexPosition& position);

  IndexStore& index_;
  IndexPosition position_;
  const std::function<bool()> stop_;
  IndexRows pending_;
  size_t pending_bytes_ = 0;
};

}  // namespace stele::store
