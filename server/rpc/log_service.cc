#include "server/rpc/log_service.h"

#include "core/base/status_macros.h"
#include "server/rpc/entries_stream.h"
#include "server/rpc/log_answers.h"
#include "server/rpc/unary.h"

namespace stele::server {

grpc::ServerUnaryReactor* LogService::GetHead(grpc::CallbackServerContext* context,
                                              const v1::GetHeadRequest*,
                                              v1::GetHeadResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetHead, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    AnswerGetHead(*reader, *response);
    return absl::OkStatus();
  });
}

grpc::ServerWriteReactor<v1::ListEntriesResponse>* LogService::ListEntries(
    grpc::CallbackServerContext*, const v1::ListEntriesRequest* request) {
  return new EntriesStream(store_, streams_, calls_, *request);
}

grpc::ServerUnaryReactor* LogService::GetEntry(grpc::CallbackServerContext* context,
                                               const v1::GetEntryRequest* request,
                                               v1::GetEntryResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetEntry, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerGetEntry(*reader, EntryIndex(request->index()), *response);
  });
}

grpc::ServerUnaryReactor* LogService::ListKeys(grpc::CallbackServerContext* context,
                                               const v1::ListKeysRequest* request,
                                               v1::ListKeysResponse* response) {
  return AnswerUnary(context, calls_, Method::kListKeys, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerListKeys(*reader, *request, *response);
  });
}

grpc::ServerUnaryReactor* LogService::GetLatestEvents(grpc::CallbackServerContext* context,
                                                      const v1::GetLatestEventsRequest* request,
                                                      v1::GetLatestEventsResponse* response) {
  return AnswerUnary(context, calls_, Method::kGetLatestEvents, [&]() -> absl::Status {
    STELE_ASSIGN_OR_RETURN(auto reader, store_.GetReader());
    return AnswerGetLatestEvents(*reader, *request, *response);
  });
}

}  // namespace stele::server
