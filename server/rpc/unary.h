// How a unary method answers: at once, on gRPC's thread; what it reads is one bounded look at the
// store.
#pragma once

#include <grpcpp/server_context.h>

#include "absl/status/status.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/status.h"

namespace stele::server {

// Runs `answer` (fills the response, returns the status), counts the call, ends it.
template <class Answer>
grpc::ServerUnaryReactor* AnswerUnary(grpc::CallbackServerContext* context, CallCounts& calls,
                                      Method method, Answer&& answer) {
  const absl::Status status = answer();
  calls.Count(method, status.code());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(ToGrpcStatus(status));
  return reactor;
}

}  // namespace stele::server
