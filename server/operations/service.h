// The running server: store, gRPC, files and admin, built in that order and stopped in reverse.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/config/config.h"
#include "server/http/http_server.h"
#include "server/log/event_log.h"
#include "server/metrics/call_counts.h"
#include "server/operations/admin.h"
#include "server/rpc/rpc_server.h"
#include "store/store.h"

namespace stele::server {

class Service {
 public:
  // Opens the store and serves. Every error is one sentence for the operator. `log` outlives it.
  static absl::StatusOr<std::unique_ptr<Service>> Start(const Config& config,
                                                        std::string_view version, EventLog& log);
  // Without Stop, everything ends at once; what was accepted is still committed.
  ~Service();

  // "grpc=ADDR http=ADDR admin=ADDR", with the ports that were taken.
  std::string Addresses() const;

  // Refuses new statements, commits and answers every accepted one, ends all calls; all of it
  // within the drain timeout. DEADLINE_EXCEEDED if accepted statements could not be committed in
  // time. A client that does not read its answers is cut off and is no error. Once.
  absl::Status Stop();

 private:
  Service(const Config& config, std::string_view version, EventLog& log);
  absl::Status StartListeners();
  absl::Status StartHttp();

  const Config config_;
  const std::string version_;
  EventLog& log_;
  CallCounts calls_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<RpcServer> rpc_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<Admin> admin_;
  std::unique_ptr<HttpServer> admin_http_;
};

}  // namespace stele::server
