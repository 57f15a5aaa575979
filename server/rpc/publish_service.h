// PublishService over gRPC: an adaptor from a reactor to a PublishSession.
#pragma once

#include "server/metrics/call_counts.h"
#include "server/rpc/streams.h"
#include "stele/v1/publish.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class PublishService final : public v1::PublishService::CallbackService {
 public:
  // All of them outlive the gRPC server.
  PublishService(store::Store& store, Streams& streams, CallCounts& calls)
      : store_(store), streams_(streams), calls_(calls) {}

  grpc::ServerBidiReactor<v1::PublishRequest, v1::PublishResponse>* Publish(
      grpc::CallbackServerContext* context) override;

 private:
  store::Store& store_;
  Streams& streams_;
  CallCounts& calls_;
};

}  // namespace stele::server
