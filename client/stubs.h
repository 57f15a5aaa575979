// gRPC behind Connection. Included by .cc files of this folder only.
#pragma once

#include <grpcpp/client_context.h>

#include <memory>

#include "client/connection.h"
#include "client/status.h"
#include "stele/v1/artifacts.grpc.pb.h"
#include "stele/v1/log.grpc.pb.h"
#include "stele/v1/proofs.grpc.pb.h"
#include "stele/v1/publish.grpc.pb.h"
#include "stele/v1/query.grpc.pb.h"
#include "stele/v1/records.grpc.pb.h"
#include "stele/v1/server.grpc.pb.h"

namespace stele::client {

struct Stubs {
  std::unique_ptr<v1::LogService::Stub> log;
  std::unique_ptr<v1::PublishService::Stub> publish;
  std::unique_ptr<v1::RecordService::Stub> records;
  std::unique_ptr<v1::ServerService::Stub> server;
  std::unique_ptr<v1::ProofService::Stub> proofs;
  std::unique_ptr<v1::QueryService::Stub> queries;
  std::unique_ptr<v1::ArtifactService::Stub> artifacts;
};

inline void SetDeadline(const Connection& connection, grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + connection.timeout());
}

// One unary call under the connection's timeout.
template <class Stub, class Request, class Response>
absl::Status Call(const Connection& connection, Stub& stub,
                  grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                  const Request& request, Response& response) {
  grpc::ClientContext context;
  SetDeadline(connection, context);
  return FromGrpc((stub.*method)(&context, request, &response), connection.address());
}

}  // namespace stele::client
