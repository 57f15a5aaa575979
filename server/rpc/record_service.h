// RecordService: content by digest, prefixes, publications of a record.
#pragma once

#include "server/metrics/call_counts.h"
#include "server/rpc/streams.h"
#include "stele/v1/records.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class RecordService final : public v1::RecordService::CallbackService {
 public:
  // All of them outlive the gRPC server.
  RecordService(store::Store& store, Streams& streams, CallCounts& calls)
      : store_(store), streams_(streams), calls_(calls) {}

  grpc::ServerUnaryReactor* GetContent(grpc::CallbackServerContext* context,
                                       const v1::GetContentRequest* request,
                                       v1::GetContentResponse* response) override;
  grpc::ServerBidiReactor<v1::FetchContentRequest, v1::FetchContentResponse>* FetchContent(
      grpc::CallbackServerContext* context) override;
  grpc::ServerUnaryReactor* ResolvePrefix(grpc::CallbackServerContext* context,
                                          const v1::ResolvePrefixRequest* request,
                                          v1::ResolvePrefixResponse* response) override;
  grpc::ServerUnaryReactor* CheckPublications(grpc::CallbackServerContext* context,
                                              const v1::CheckPublicationsRequest* request,
                                              v1::CheckPublicationsResponse* response) override;
  grpc::ServerUnaryReactor* GetRecord(grpc::CallbackServerContext* context,
                                      const v1::GetRecordRequest* request,
                                      v1::GetRecordResponse* response) override;
  grpc::ServerUnaryReactor* ListRecordEntries(grpc::CallbackServerContext* context,
                                              const v1::ListRecordEntriesRequest* request,
                                              v1::ListRecordEntriesResponse* response) override;
  grpc::ServerUnaryReactor* GetCitation(grpc::CallbackServerContext* context,
                                        const v1::GetCitationRequest* request,
                                        v1::GetCitationResponse* response) override;

 private:
  store::Store& store_;
  Streams& streams_;
  CallCounts& calls_;
};

}  // namespace stele::server
