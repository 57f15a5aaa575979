// Refusals on the wire: absl::Status → google.rpc.Status with ErrorInfo and RetryInfo, for whole
// calls (in `grpc-status-details-bin`) and for single items. Every error carries an ErrorInfo of
// domain "stele"; a RetryInfo stands only where waiting alone helps.
#pragma once

#include <grpcpp/support/status.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "google/rpc/status.pb.h"

namespace stele::server {

// Reason word of this room alone: more streams than the server serves at a time.
inline constexpr std::string_view kTooManyStreams = "TOO_MANY_STREAMS";

// How long to wait before the same call may succeed; nothing where waiting does not help.
std::optional<std::chrono::milliseconds> RetryDelay(const absl::Status& status);

// `status` is an error.
void ToRpcStatus(const absl::Status& status, google::rpc::Status& out);
grpc::Status ToGrpcStatus(const absl::Status& status);

}  // namespace stele::server
