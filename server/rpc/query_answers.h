// What QueryService answers, free of gRPC: from one moment of the store's queries to a message.
// Each refusal is the call's; an answer that does not fit into a message is one of them.
#pragma once

#include "absl/status/status.h"
#include "stele/v1/query.pb.h"
#include "store/index/queries.h"

namespace stele::server {

absl::Status AnswerListRecords(const store::Queries& queries, const v1::ListRecordsRequest& request,
                               v1::ListRecordsResponse& response);
absl::Status AnswerGetHistory(const store::Queries& queries, const v1::GetHistoryRequest& request,
                              v1::GetHistoryResponse& response);
absl::Status AnswerGetStandings(const store::Queries& queries,
                                const v1::GetStandingsRequest& request,
                                v1::GetStandingsResponse& response);
absl::Status AnswerListReferences(const store::Queries& queries,
                                  const v1::ListReferencesRequest& request,
                                  v1::ListReferencesResponse& response);
absl::Status AnswerGetCohort(const store::Queries& queries, const v1::GetCohortRequest& request,
                             v1::GetCohortResponse& response);
absl::Status AnswerListResults(const store::Queries& queries, const v1::ListResultsRequest& request,
                               v1::ListResultsResponse& response);
absl::Status AnswerGetEvidence(const store::Queries& queries, const v1::GetEvidenceRequest& request,
                               v1::GetEvidenceResponse& response);

}  // namespace stele::server
