// A log of static files below an http(s):// prefix: any web server, a CDN, or steled itself.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "client/source/static_source.h"

namespace stele::client {

struct HttpOptions {
  // PEM texts for https; without `ca` the system's roots count.
  std::string ca, cert, cert_key;
  // How long a server may be silent, and how long one that is not there or overloaded is tried
  // again.
  std::chrono::milliseconds timeout{30000};
};

// Reads with keep-alive, and many contents at a time over several connections. 404, 410 and 451
// (withheld) say that a file is not there; 429 and 5xx are tried again.
class HttpSource final : public StaticSource {
 public:
  // `prefix` begins http:// or https://; a slash at its end does not matter.
  HttpSource(std::string prefix, HttpOptions options);
  ~HttpSource() override;
  const std::string& name() const override { return prefix_; }

 protected:
  absl::StatusOr<std::string> File(const std::string& path, size_t max_bytes) override;
  absl::Status Files(const std::vector<std::string>& paths, size_t max_bytes,
                     const VisitFile& visit) override;
  absl::Status Stream(const std::string& path, uint64_t max_bytes, ByteSink& sink) override;

 private:
  class Pool;
  std::string Url(const std::string& path) const { return prefix_ + "/" + path; }

  const std::string prefix_;
  const HttpOptions options_;
  const std::unique_ptr<Pool> pool_;
};

}  // namespace stele::client
