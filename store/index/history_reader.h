// Everything that is said about a digest, as an answer. From one moment of the log; the evidence
// also from one of the index. Errors are those of Queries.
#pragma once

#include "absl/status/statusor.h"
#include "store/index/list_records.h"
#include "store/index/queries.h"

namespace stele::store {

absl::StatusOr<History> ReadHistory(const QueryScope& scope, const Digest& subject,
                                    const PageRequest& request);

// What a statement says about `subject`, in short.
HistorySaid SaidAbout(const Statement& statement, const Digest& subject);

}  // namespace stele::store
