// The cohort of a comparison key, or of a run, ranked. From one moment of the log and one of the
// index; errors are those of Queries.
#pragma once

#include "absl/status/statusor.h"
#include "store/index/list_records.h"
#include "store/index/queries.h"

namespace stele::store {

absl::StatusOr<CohortAnswer> AnswerCohort(const QueryScope& scope, const Digest& run_or_key);

}  // namespace stele::store
