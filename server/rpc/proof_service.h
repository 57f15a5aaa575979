// ProofService: proofs, tiles, and the signed head as it grows.
#pragma once

#include "server/metrics/call_counts.h"
#include "server/rpc/head_watch.h"
#include "server/rpc/streams.h"
#include "stele/v1/proofs.grpc.pb.h"
#include "store/store.h"

namespace stele::server {

class ProofService final : public v1::ProofService::CallbackService {
 public:
  // All of them outlive the gRPC server.
  ProofService(store::Store& store, Streams& streams, CallCounts& calls)
      : store_(store), streams_(streams), calls_(calls), watch_(store) {}

  grpc::ServerUnaryReactor* GetInclusionProof(grpc::CallbackServerContext* context,
                                              const v1::GetInclusionProofRequest* request,
                                              v1::GetInclusionProofResponse* response) override;
  grpc::ServerUnaryReactor* GetConsistencyProof(grpc::CallbackServerContext* context,
                                                const v1::GetConsistencyProofRequest* request,
                                                v1::GetConsistencyProofResponse* response) override;
  grpc::ServerUnaryReactor* GetTiles(grpc::CallbackServerContext* context,
                                     const v1::GetTilesRequest* request,
                                     v1::GetTilesResponse* response) override;
  grpc::ServerWriteReactor<v1::GetProvenEntriesResponse>* GetProvenEntries(
      grpc::CallbackServerContext* context, const v1::GetProvenEntriesRequest* request) override;
  grpc::ServerWriteReactor<v1::WatchHeadResponse>* WatchHead(
      grpc::CallbackServerContext* context, const v1::WatchHeadRequest* request) override;

 private:
  store::Store& store_;
  Streams& streams_;
  CallCounts& calls_;
  HeadWatch watch_;
};

}  // namespace stele::server
