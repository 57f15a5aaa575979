// What an HTTP handler sees and gives: GET or HEAD of a path, answered whole or, if it is large, in
// pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace stele::server {

struct HttpRequest {
  std::string path;  // of the target, as sent: begins with '/', nothing decoded
  bool has_query = false;
  // The fields as sent, several of one name joined by commas; empty if absent.
  std::string accept_encoding, if_match, if_none_match;
};

// A body that is too large to hold. One thread at a time.
class HttpBody {
 public:
  virtual ~HttpBody() = default;
  virtual uint64_t size() const = 0;
  // The next piece, never empty before the end. An error cuts the connection: the client sees that
  // the body is not whole.
  virtual absl::StatusOr<std::string> Next() = 0;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string cache_control = "no-store";
  std::string body;
  std::shared_ptr<HttpBody> stream;  // instead of `body`, if there is one; never gzipped
  // Names these bytes for ever, without quotes: with it the server answers conditional requests.
  std::string etag;
  // The server may send it gzipped, under an ETag of its own. Only beside an `etag`.
  bool compressible = false;
  // Set by the server (server/http/negotiate.h).
  std::string content_encoding;
};

// Called from the server's threads, several at a time; may read from disk, must not wait for
// anything else. HEAD is asked like GET, its body is dropped.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

// An error for people: one line of text, never cached.
HttpResponse HttpError(int status, std::string_view sentence);

}  // namespace stele::server
