// One HTTP GET of libcurl's, on its own or among others. For this folder only.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/source/http_source.h"

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
  Transfer(Easy easy, std::string url, size_t max_bytes);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* easy() const { return easy_.get(); }
  // What it came to, once libcurl says so with `code`.
  absl::StatusOr<std::string> Finish(CURLcode code);
  Easy TakeEasy() { return std::move(easy_); }

 private:
  static size_t Receive(char* bytes, size_t size, size_t count, void* transfer);

  Easy easy_;
  const std::string url_;
  const size_t max_bytes_;
  bool too_large_ = false;
  std::string body_;
};

}  // namespace stele::client
