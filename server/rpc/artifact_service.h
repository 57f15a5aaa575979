// ArtifactService: bytes of any size, in and out.
#pragma once

#include <chrono>

#include "server/metrics/call_counts.h"
#include "server/rpc/streams.h"
#include "server/rpc/upload_desk.h"
#include "stele/v1/artifacts.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class ArtifactService final : public v1::ArtifactService::CallbackService {
 public:
  // All of them outlive the gRPC server.
  ArtifactService(store::Store& store, Streams& streams, CallCounts& calls,
                  std::chrono::milliseconds upload_idle)
      : store_(store), streams_(streams), calls_(calls), desk_(kUploadThreads, upload_idle) {}

  grpc::ServerUnaryReactor* GetArtifact(grpc::CallbackServerContext* context,
                                        const v1::GetArtifactRequest* request,
                                        v1::GetArtifactResponse* response) override;
  grpc::ServerReadReactor<v1::UploadArtifactRequest>* UploadArtifact(
      grpc::CallbackServerContext* context, v1::UploadArtifactResponse* response) override;
  grpc::ServerWriteReactor<v1::DownloadArtifactResponse>* DownloadArtifact(
      grpc::CallbackServerContext* context, const v1::DownloadArtifactRequest* request) override;

 private:
  static constexpr int kUploadThreads = 2;

  store::Store& store_;
  Streams& streams_;
  CallCounts& calls_;
  UploadDesk desk_;
};

}  // namespace stele::server
