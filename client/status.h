// Errors of the wire as absl::Status, and back to what the caller does about them.
//
// Code, message, and from google.rpc.ErrorInfo (domain "stele") reason and JSON Pointer, read with
// ReasonOf and PointerOf of core/base/refusal.h.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace grpc {
class Status;
}
namespace google::rpc {
class Status;
}

namespace stele::client {

// The outcome of a call. `peer` is the server's address, for messages.
absl::Status FromGrpc(const grpc::Status& status, std::string_view peer);

// An error inside an answer. A code that gRPC does not have is UNKNOWN.
absl::Status FromRpc(const google::rpc::Status& status);

// The delay that the server asks for before the next try (google.rpc.RetryInfo), if it does.
std::optional<std::chrono::milliseconds> RetryDelayOf(const absl::Status& status);

// What a source said does not verify: DATA_LOSS, never retried, exit code 4. Keeps reason and
// pointer of `why`; the message is "<what>: <message of why>".
absl::Status Untrusted(std::string_view what, const absl::Status& why);
absl::Status Untrusted(std::string_view what);

}  // namespace stele::client
