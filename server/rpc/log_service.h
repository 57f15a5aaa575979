// LogService: the log, raw.
#pragma once

#include "server/metrics/call_counts.h"
#include "server/rpc/streams.h"
#include "stele/v1/log.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class LogService final : public v1::LogService::CallbackService {
 public:
  // All of them outlive the gRPC server.
  LogService(store::Store& store, Streams& streams, CallCounts& calls)
      : store_(store), streams_(streams), calls_(calls) {}

  grpc::ServerUnaryReactor* GetHead(grpc::CallbackServerContext* context,
                                    const v1::GetHeadRequest* request,
                                    v1::GetHeadResponse* response) override;
  grpc::ServerWriteReactor<v1::ListEntriesResponse>* ListEntries(
      grpc::CallbackServerContext* context, const v1::ListEntriesRequest* request) override;
  grpc::ServerUnaryReactor* GetEntry(grpc::CallbackServerContext* context,
                                     const v1::GetEntryRequest* request,
                                     v1::GetEntryResponse* response) override;
  grpc::ServerUnaryReactor* ListKeys(grpc::CallbackServerContext* context,
                                     const v1::ListKeysRequest* request,
                                     v1::ListKeysResponse* response) override;
  grpc::ServerUnaryReactor* GetLatestEvents(grpc::CallbackServerContext* context,
                                            const v1::GetLatestEventsRequest* request,
                                            v1::GetLatestEventsResponse* response) override;

 private:
  store::Store& store_;
  Streams& streams_;
  CallCounts& calls_;
};

}  // namespace stele::server
