// One HTTP GET of libcurl's, on its own or among others. For this folder only.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/source/http_source.h"
#include "core/base/byte_sink.h"

namespace stele::client {

struct CloseEasy {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, CloseEasy>;

// Null if libcurl has no memory.
Easy NewEasy(const HttpOptions& options);

// Body and outcome of one request. Must stay where it is while it runs.
class Transfer {
 public:
  // With a sink the body goes there as it comes, and none is kept.
  Transfer(Easy easy, std::string url, uint64_t max_bytes, ByteSink* sink = nullptr);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* easy() const { return easy_.get(); }
  // What it came to, once libcurl says so with `code`.
  absl::StatusOr<std::string> Finish(CURLcode code);
  // Once finished: the byte at which the answer itself broke off, 0 if the source said that it
  // cannot give it (HTTP 500). Nothing if it is whole, or the line is to blame.
  std::optional<uint64_t> broken_at() const { return broken_at_; }
  Easy TakeEasy() { return std::move(easy_); }

 private:
  static size_t Receive(char* bytes, size_t size, size_t count, void* transfer);
  bool Take(std::string_view piece);

  Easy easy_;
  const std::string url_;
  const uint64_t max_bytes_;
  ByteSink* const sink_;
  uint64_t received_ = 0;
  bool too_large_ = false;
  absl::Status sink_status_;
  std::optional<uint64_t> broken_at_;
  std::string body_;
};

}  // namespace stele::client
