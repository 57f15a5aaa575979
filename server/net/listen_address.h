// Where to listen: an IP address (or localhost, which is 127.0.0.1) and a port. Names are not
// looked up: a server that listens somewhere else after a change of DNS is a surprise nobody wants.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::server {

struct ListenAddress {
  std::string host;   // IPv4 or IPv6 literal, without brackets
  uint16_t port = 0;  // 0: a free one

  std::string ToText() const;  // "127.0.0.1:7420", "[::1]:7420"
};

// "127.0.0.1:7420", "[::1]:7420", "localhost:7420". INVALID_ARGUMENT.
absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text);

// Binds and lets go again: 0, or the errno of what is in the way of listening there.
int ProbeBind(const ListenAddress& address);

// The sentence for an address that could not be listened on; `error` is an errno.
absl::Status CannotListen(std::string_view flag, const ListenAddress& address, int error);

}  // namespace stele::server
