// The gRPC server: Stele's services, health checking and reflection on one plain port. Free of
// gRPC's headers.
//
// Health: the overall service "" and stele.v1.PublishService follow the store's write state; the
// reading services serve until the drain.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/metrics/call_counts.h"
#include "server/net/listen_address.h"
#include "server/rpc/service_limits.h"
#include "store/store.h"

namespace stele::server {

struct RpcOptions {
  ListenAddress address;
  std::string version;
  ConfiguredLimits limits;  // told by GetServerInfo
};

struct RpcStats {
  uint64_t streams = 0, unanswered_statements = 0, unanswered_bytes = 0;
};

class RpcServer {
 public:
  // Serving when it returns. UNAVAILABLE: one sentence that names address and flag. `store` and
  // `calls` outlive the server; the store is drained between BeginDrain and Stop.
  static absl::StatusOr<std::unique_ptr<RpcServer>> Start(const RpcOptions& options,
                                                          store::Store& store, CallCounts& calls);
  virtual ~RpcServer() = default;  // stops at once

  // With the port that was taken.
  virtual const ListenAddress& address() const = 0;
  virtual RpcStats Stats() const = 0;

  // NOT_SERVING everywhere; streams take no further request, answer what they took and end. Returns
  // at once. Idempotent.
  virtual void BeginDrain() = 0;
  // Waits until the streams have ended, then ends what is left. False if some had to be cut off at
  // the deadline: a client that did not read its answers.
  virtual bool Stop(std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace stele::server
