// QueryService: what is known about records, as the store's index and log say it.
#pragma once

#include "server/metrics/call_counts.h"
#include "stele/v1/query.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class QueryService final : public v1::QueryService::CallbackService {
 public:
  // Both outlive the gRPC server.
  QueryService(const store::Store& store, CallCounts& calls) : store_(store), calls_(calls) {}

  grpc::ServerUnaryReactor* ListRecords(grpc::CallbackServerContext* context,
                                        const v1::ListRecordsRequest* request,
                                        v1::ListRecordsResponse* response) override;
  grpc::ServerUnaryReactor* GetHistory(grpc::CallbackServerContext* context,
                                       const v1::GetHistoryRequest* request,
                                       v1::GetHistoryResponse* response) override;
  grpc::ServerUnaryReactor* GetStandings(grpc::CallbackServerContext* context,
                                         const v1::GetStandingsRequest* request,
                                         v1::GetStandingsResponse* response) override;
  grpc::ServerUnaryReactor* ListReferences(grpc::CallbackServerContext* context,
                                           const v1::ListReferencesRequest* request,
                                           v1::ListReferencesResponse* response) override;
  grpc::ServerUnaryReactor* GetCohort(grpc::CallbackServerContext* context,
                                      const v1::GetCohortRequest* request,
                                      v1::GetCohortResponse* response) override;
  grpc::ServerUnaryReactor* ListResults(grpc::CallbackServerContext* context,
                                        const v1::ListResultsRequest* request,
                                        v1::ListResultsResponse* response) override;
  grpc::ServerUnaryReactor* GetEvidence(grpc::CallbackServerContext* context,
                                        const v1::GetEvidenceRequest* request,
                                        v1::GetEvidenceResponse* response) override;

 private:
  const store::Store& store_;
  CallCounts& calls_;
};

}  // namespace stele::server
