#include "server/rpc/artifact_service.h"

#include "server/rpc/artifact_answers.h"
#include "server/rpc/download_stream.h"
#include "server/rpc/unary.h"
#include "server/rpc/upload_stream.h"

namespace stele::server {

grpc::ServerUnaryReactor* ArtifactService::GetArtifact(grpc::CallbackServerContext* context,
                                                       const v1::GetArtifactRequest* request,
                                                       v1::GetArtifactResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetArtifact,
                     [&] { return AnswerGetArtifact(store_, *request, *response); });
}

grpc::ServerReadReactor<v1::UploadArtifactRequest>* ArtifactService::UploadArtifact(
    grpc::CallbackServerContext*, v1::UploadArtifactResponse* response) {
  return new UploadStream(store_, streams_, desk_, calls_, *response);
}

grpc::ServerWriteReactor<v1::DownloadArtifactResponse>* ArtifactService::DownloadArtifact(
    grpc::CallbackServerContext*, const v1::DownloadArtifactRequest* request) {
  return new DownloadStream(store_, streams_, calls_, *request);
}

}  // namespace stele::server
