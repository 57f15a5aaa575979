#include "server/rpc/proof_service.h"

#include "core/base/status_macros.h"
#include "server/rpc/head_stream.h"
#include "server/rpc/proof_answers.h"
#include "server/rpc/proven_entries_stream.h"
#include "server/rpc/unary.h"

namespace stele::server {

grpc::ServerUnaryReactor* ProofService::GetInclusionProof(
    grpc::CallbackServerContext* context, const v1::GetInclusionProofRequest* request,
    v1::GetInclusionProofResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetInclusionProof, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerInclusion(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* ProofService::GetConsistencyProof(
    grpc::CallbackServerContext* context, const v1::GetConsistencyProofRequest* request,
    v1::GetConsistencyProofResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetConsistencyProof, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerConsistency(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* ProofService::GetTiles(grpc::CallbackServerContext* context,
                                                 const v1::GetTilesRequest* request,
                                                 v1::GetTilesResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetTiles, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerTiles(*reader, *request, *response);
  });
}

grpc::ServerWriteReactor<v1::GetProvenEntriesResponse>* ProofService::GetProvenEntries(
    grpc::CallbackServerContext*, const v1::GetProvenEntriesRequest* request) {
  return new ProvenEntriesStream(store_, streams_, calls_, *request);
}

grpc::ServerWriteReactor<v1::WatchHeadResponse>* ProofService::WatchHead(
    grpc::CallbackServerContext*, const v1::WatchHeadRequest* request) {
  return new HeadStream(store_, streams_, watch_, calls_, *request);
}

}  // namespace stele::server
