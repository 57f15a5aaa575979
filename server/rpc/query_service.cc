#include "server/rpc/query_service.h"

#include "core/base/status_macros.h"
#include "server/rpc/query_answers.h"
#include "server/rpc/unary.h"

namespace stele::server {
namespace {

// From one moment; let go before the answer is sent.
template <class Request, class Response>
grpc::ServerUnaryReactor* Answer(grpc::CallbackServerContext* context, const store::Store& store,
                                 CallCounts& calls, Method method,
                                 absl::Status (*answer)(const store::Queries&, const Request&,
                                                        Response&),
                                 const Request* request, Response* response) {
  return AnswerUnary(context, calls, method, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(const auto queries, store.GetQueries());
    return answer(*queries, *request, *response);
  });
}

}  // namespace

grpc::ServerUnaryReactor* QueryService::ListRecords(grpc::CallbackServerContext* context,
                                                    const v1::ListRecordsRequest* request,
                                                    v1::ListRecordsResponse* response) {
  return Answer(context, store_, calls_, Method::kListRecords, AnswerListRecords, request,
                response);
}

grpc::ServerUnaryReactor* QueryService::GetHistory(grpc::CallbackServerContext* context,
                                                   const v1::GetHistoryRequest* request,
                                                   v1::GetHistoryResponse* response) {
  return Answer(context, store_, calls_, Method::kGetHistory, AnswerGetHistory, request, response);
}

grpc::ServerUnaryReactor* QueryService::GetStandings(grpc::CallbackServerContext* context,
                                                     const v1::GetStandingsRequest* request,
                                                     v1::GetStandingsResponse* response) {
  return Answer(context, store_, calls_, Method::kGetStandings, AnswerGetStandings, request,
                response);
}

grpc::ServerUnaryReactor* QueryService::ListReferences(grpc::CallbackServerContext* context,
                                                       const v1::ListReferencesRequest* request,
                                                       v1::ListReferencesResponse* response) {
  return Answer(context, store_, calls_, Method::kListReferences, AnswerListReferences, request,
                response);
}

grpc::ServerUnaryReactor* QueryService::GetCohort(grpc::CallbackServerContext* context,
                                                  const v1::GetCohortRequest* request,
                                                  v1::GetCohortResponse* response) {
  return Answer(context, store_, calls_, Method::kGetCohort, AnswerGetCohort, request, response);
}

grpc::ServerUnaryReactor* QueryService::ListResults(grpc::CallbackServerContext* context,
                                                    const v1::ListResultsRequest* request,
                                                    v1::ListResultsResponse* response) {
  return Answer(context, store_, calls_, Method::kListResults, AnswerListResults, request,
                response);
}

grpc::ServerUnaryReactor* QueryService::GetEvidence(grpc::CallbackServerContext* context,
                                                    const v1::GetEvidenceRequest* request,
                                                    v1::GetEvidenceResponse* response) {
  return Answer(context, store_, calls_, Method::kGetEvidence, AnswerGetEvidence, request,
                response);
}

}  // namespace stele::server
