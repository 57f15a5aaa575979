// A server on a free port of 127.0.0.1 over a TestLog, and raw gRPC clients for it.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/rpc_server.h"
#include "stele/v1/publish.grpc.pb.h"
#include "tests/support/server/test_log.h"

namespace stele::server {

struct ServedLog {
  ServedLog() : ServedLog(ConfiguredLimits()) {}
  ServedLog(const store::GuestLimits& guests, store::Clock clock);
  // The store has those of guests only.
  explicit ServedLog(const ConfiguredLimits& limits, store::Clock clock = nullptr);

  // A channel of its own: one connection.
  std::shared_ptr<grpc::Channel> Connect() const;

  TestLog log;
  CallCounts calls;
  std::unique_ptr<RpcServer> rpc;
};

// Statements [begin, end): publications of one record each, tags the same numbers.
v1::PublishRequest Publications(const PrivateKey& publisher, int begin, int end,
                                size_t padding = 0);

// OK if the receipt is proven under the response's checkpoint.
absl::Status VerifyResult(const v1::PublishResponse& response, const v1::PublishResult& result,
                          const NoteVerifier& verifier);

google::rpc::ErrorInfo InfoOf(const google::rpc::Status& status);
// Of a call's status; fails the test if it has none.
google::rpc::ErrorInfo InfoOf(const grpc::Status& status);

// One raw request, one raw answer, for services whose messages are not ours.
std::string RawUnary(grpc::Channel& channel, const std::string& method, const std::string& request);
std::string RawStream(grpc::Channel& channel, const std::string& method,
                      const std::string& request);

}  // namespace stele::server
