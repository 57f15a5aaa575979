// The messages of QueryService as values. Every error is DATA_LOSS: an answer that cannot be.
// Included by .cc files of this folder only.
#pragma once

#include "absl/status/statusor.h"
#include "client/queries.h"
#include "stele/v1/query.pb.h"

namespace stele::client {

absl::StatusOr<IndexMoment> MomentFrom(const v1::IndexMoment& message);
absl::StatusOr<RecordRow> RecordFrom(const v1::RecordRow& message);
absl::StatusOr<Standing> StandingFrom(const v1::Standing& message, const IndexMoment& moment);
absl::StatusOr<HistoryRow> HistoryFrom(const v1::HistoryRow& message);
absl::StatusOr<ReferenceRow> ReferenceFrom(const v1::ReferenceRow& message);
absl::StatusOr<RunRow> RunFrom(const v1::RunRow& message);
absl::StatusOr<CohortAnswer> CohortFrom(const v1::GetCohortResponse& message);
absl::StatusOr<EvidenceAnswer> EvidenceFrom(const v1::EvidenceLevel& message);

}  // namespace stele::client
