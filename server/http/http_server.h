// A small HTTP/1.1 server for files that follow from the store: GET and HEAD, no request bodies,
// keep alive, pipelining, gzip, conditional requests (server/http/negotiate.h). Every wait and all
// memory are bounded. Plain TCP.
//
// Refused before the handler sees anything: another version than HTTP/1.x (505), another method
// (405), a body (413), any transfer coding (501), headers over the limit (431), no or two Hosts and
// whatever else is no HTTP (400). The connection is closed after each of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/serving_limits.h"
#include "server/http/message.h"
#include "server/net/listen_address.h"

namespace stele::server {

struct HttpOptions {
  ListenAddress address;
  std::string flag;  // that chose the address, for messages: "--http"
  int threads = 1;
  size_t max_connections = limits::kHttpConnections;  // one more is answered 503 and closed
  size_t header_bytes = limits::kHttpHeaderBytes;     // request line and headers
  // From a request's first wait to its last byte; dripping bytes buys no time.
  std::chrono::milliseconds request_time{limits::kHttpRequestMs};
  // For one answer, and a second more for each answer_bytes_per_second of it.
  std::chrono::milliseconds answer_time{limits::kHttpAnswerMs};
  size_t answer_bytes_per_second = limits::kHttpSlowestBytesPerS;
  // Of answers being sent, all together; one that would pass it is 503.
  size_t answers_bytes = limits::kHttpAnswersBytes;
};

struct HttpStats {
  uint64_t connections = 0;            // open now
  uint64_t requests = 0, refused = 0;  // answered by the handler, refused before it
  uint64_t answer_bytes = 0;           // of answers being sent now
};

class HttpServer {
 public:
  // Listening when it returns. UNAVAILABLE: one sentence that names address and flag.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(const HttpOptions& options,
                                                           HttpHandler handler);
  virtual ~HttpServer() = default;  // stops

  // With the port that was taken.
  virtual const ListenAddress& address() const = 0;
  virtual HttpStats Stats() const = 0;
  // Takes no new connection, lets answers under way end for up to half a second, closes the rest,
  // joins its threads. Idempotent; from one thread.
  virtual void Stop() = 0;
};

}  // namespace stele::server
