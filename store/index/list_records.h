// The lists of Queries: records by filter, references, results. Each from one moment of the log and
// one of the index. Errors are those of Queries.
#pragma once

#include "absl/status/statusor.h"
#include "store/index/index_store.h"
#include "store/index/queries.h"
#include "store/read/reader.h"

namespace stele::store {

// Both must live as long; `moment` goes into the answer.
struct QueryScope {
  const Reader& reader;
  const IndexSnapshot& index;
  const IndexMoment& moment;
};

absl::StatusOr<Page<RecordRow>> ListRecords(const QueryScope& scope, const ListFilter& filter,
                                            const PageRequest& request);
absl::StatusOr<Page<ReferenceRow>> ListReferences(const QueryScope& scope, const Digest& target,
                                                  const PageRequest& request);
absl::StatusOr<Page<RunRow>> ListResults(const QueryScope& scope, const Digest& workload,
                                         const PageRequest& request);

}  // namespace stele::store
