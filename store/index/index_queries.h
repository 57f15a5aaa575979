// Queries over a reader of the log and a snapshot of the index.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "store/index/index_store.h"
#include "store/index/queries.h"
#include "store/read/reader.h"

namespace stele::store {

// The reader is taken after the snapshot, of the same log: UNAVAILABLE if the index is ahead of it.
absl::StatusOr<std::shared_ptr<const Queries>> MakeQueries(
    std::shared_ptr<const Reader> reader, std::shared_ptr<const IndexSnapshot> index,
    IndexState state);

}  // namespace stele::store
