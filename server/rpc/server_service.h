// ServerService: what this server is and what it takes.
#pragma once

#include <string>

#include "server/metrics/call_counts.h"
#include "server/rpc/service_limits.h"
#include "stele/v1/server.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class ServerService final : public v1::ServerService::CallbackService {
 public:
  // `store` and `calls` outlive the gRPC server.
  ServerService(store::Store& store, CallCounts& calls, std::string version,
                const ConfiguredLimits& limits);

  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context,
                                          const v1::GetServerInfoRequest* request,
                                          v1::GetServerInfoResponse* response) override;

 private:
  store::Store& store_;
  CallCounts& calls_;
  v1::GetServerInfoResponse fixed_;  // all that does not change while the server runs
};

}  // namespace stele::server
