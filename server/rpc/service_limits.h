// Limits of the gRPC service beside core/base/limits.h, and all of them by name.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/artifact_limits.h"
#include "core/base/limits.h"
#include "core/base/serving_limits.h"
#include "store/artifact/artifact_state.h"
#include "store/log/guest_quota.h"

namespace stele::server {

namespace service_limits {
// Streams open at a time, all services and connections together; with the window of a stream it
// bounds the memory of unanswered statements and unread answers.
inline constexpr size_t kStreams = 256;
// Calls open at a time on one connection.
inline constexpr int kConnectionCalls = 128;
// Memory for gRPC's own buffers.
inline constexpr size_t kTransportBytes = 512ull * 1024 * 1024;
// Of one stream, received and not yet read.
inline constexpr int kLookaheadBytes = 1024 * 1024;
inline constexpr int kMetadataBytes = 16 * 1024;
// Answers of one PublishResponse; more go out in another with the same checkpoint.
inline constexpr size_t kResponseBytes = 8 * 1024 * 1024;
// Keys of one page.
inline constexpr int kKeysPage = 256;
inline constexpr int kKeysPageMost = 1024;
// Digests of one ResolvePrefix answer.
inline constexpr size_t kPrefixDigests = 10;
}  // namespace service_limits

struct NamedLimit {
  std::string name;  // with its unit, as GetServerInfo and ErrorInfo say it
  uint64_t value = 0;
};

// The limits that an operator sets.
struct ConfiguredLimits {
  uint64_t queue_statements = limits::kQueueStatements;
  uint64_t http_connections = limits::kHttpConnections;
  store::GuestLimits guests;
  store::ArtifactOptions artifacts;
  std::chrono::milliseconds upload_idle{limits::kUploadIdleMs};
};

// Every limit there is.
std::vector<NamedLimit> AllLimits(const ConfiguredLimits& configured);

}  // namespace stele::server
