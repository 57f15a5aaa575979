#include "server/rpc/record_service.h"

#include <memory>
#include <string>
#include <utility>

#include "core/base/status_macros.h"
#include "server/rpc/fetch_stream.h"
#include "server/rpc/history_answers.h"
#include "server/rpc/record_answers.h"
#include "server/rpc/unary.h"

namespace stele::server {

grpc::ServerUnaryReactor* RecordService::GetContent(grpc::CallbackServerContext* context,
                                                    const v1::GetContentRequest* request,
                                                    v1::GetContentResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetContent, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(Digest digest, DigestField(request->digest(), "/digest"));
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    STELE_ASSIGN_OR_RETURN(std::string content, ReadContent(*reader, digest));
    response->set_content(std::move(content));
    return absl::OkStatus();
  });
}

grpc::ServerBidiReactor<v1::FetchContentRequest, v1::FetchContentResponse>*
RecordService::FetchContent(grpc::CallbackServerContext*) {
  return new FetchStream(store_, streams_, calls_);
}

grpc::ServerUnaryReactor* RecordService::ResolvePrefix(grpc::CallbackServerContext* context,
                                                       const v1::ResolvePrefixRequest* request,
                                                       v1::ResolvePrefixResponse* response) {
  return AnswerUnary(context, calls_, Method::kResolvePrefix, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerResolvePrefix(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* RecordService::CheckPublications(
    grpc::CallbackServerContext* context, const v1::CheckPublicationsRequest* request,
    v1::CheckPublicationsResponse* response) {
  return AnswerUnary(context, calls_, Method::kCheckPublications, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerCheckPublications(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* RecordService::GetRecord(grpc::CallbackServerContext* context,
                                                   const v1::GetRecordRequest* request,
                                                   v1::GetRecordResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetRecord, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerGetRecord(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* RecordService::ListRecordEntries(
    grpc::CallbackServerContext* context, const v1::ListRecordEntriesRequest* request,
    v1::ListRecordEntriesResponse* response) {
  return AnswerUnary(context, calls_, Method::kListRecordEntries, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerListRecordEntries(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* RecordService::GetCitation(grpc::CallbackServerContext* context,
                                                     const v1::GetCitationRequest* request,
                                                     v1::GetCitationResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetCitation, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerGetCitation(*reader, *request, *response);
  });
}

}  // namespace stele::server
