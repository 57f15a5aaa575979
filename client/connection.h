// A channel to one server.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace stele::client {

struct ConnectOptions {
  std::string address;  // host:port
  // PEM texts, not paths. With any of them the channel is TLS; without `ca` the system's roots
  // count.
  std::string ca, cert, cert_key;
  bool tls = false;
  // How long one call may take, and a publisher may wait without an answer.
  std::chrono::milliseconds timeout{30000};
};

struct Stubs;

// May be used from any thread; each has a TCP connection of its own, made at the first call and
// made again when it is lost.
class Connection {
 public:
  explicit Connection(ConnectOptions options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const std::string& address() const { return options_.address; }
  std::chrono::milliseconds timeout() const { return options_.timeout; }
  // For this folder only (client/stubs.h).
  const Stubs& stubs() const { return *stubs_; }

 private:
  const ConnectOptions options_;
  std::unique_ptr<const Stubs> stubs_;
};

}  // namespace stele::client
