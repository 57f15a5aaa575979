#include "server/net/listen_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/numbers.h"
#include "server/base/cat.h"

namespace stele::server {
namespace {

bool IsIp(const std::string& host, int family) {
  char address[sizeof(in6_addr)];
  return inet_pton(family, host.c_str(), address) == 1;
}

absl::Status BadAddress(std::string_view text) {
  return absl::InvalidArgumentError(
      Cat("\"", text,
          "\" is no address to listen on: write IP:PORT, like 127.0.0.1:7420, "
          "0.0.0.0:7420 or [::1]:7420"));
}

// Binds `fd` to the address; 0 or an errno.
int Bind(int fd, const ListenAddress& address) {
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  sockaddr* at = reinterpret_cast<sockaddr*>(&v4);
  socklen_t size = sizeof(v4);
  if (inet_pton(AF_INET, address.host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
  } else {
    inet_pton(AF_INET6, address.host.c_str(), &v6.sin6_addr);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(address.port);
    at = reinterpret_cast<sockaddr*>(&v6);
    size = sizeof(v6);
  }
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (bind(fd, at, size) != 0) return errno;
  return listen(fd, 1) == 0 ? 0 : errno;
}

}  // namespace

std::string ListenAddress::ToText() const {
  const bool v6 = host.find(':') != std::string::npos;
  return v6 ? Cat("[", host, "]:", port) : Cat(host, ":", port);
}

absl::StatusOr<ListenAddress> ParseListenAddress(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return BadAddress(text);
  std::string_view host = text.substr(0, colon);
  std::string_view port = text.substr(colon + 1);
  ListenAddress address;
  uint32_t number = 0;
  if (port.empty() || port.find_first_not_of("0123456789") != std::string_view::npos ||
      !absl::SimpleAtoi(ToAbsl(port), &number) || number > 65535) {
    return BadAddress(text);
  }
  address.port = static_cast<uint16_t>(number);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  address.host = host == "localhost" ? "127.0.0.1"
                 : bracketed         ? std::string(host.substr(1, host.size() - 2))
                                     : std::string(host);
  if (!IsIp(address.host, bracketed ? AF_INET6 : AF_INET)) return BadAddress(text);
  return address;
}

int ProbeBind(const ListenAddress& address) {
  const bool v6 = address.host.find(':') != std::string::npos;
  const int fd = socket(v6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  const int error = Bind(fd, address);
  close(fd);
  return error;
}

absl::Status CannotListen(std::string_view flag, const ListenAddress& address, int error) {
  std::string sentence =
      Cat("cannot listen on ", address.ToText(), " (", flag, "): ", std::strerror(error));
  if (error == EADDRINUSE) {
    absl::StrAppend(&sentence, "; stop what listens there, or choose another port (0: a free one)");
  }
  return absl::UnavailableError(sentence);
}

}  // namespace stele::server
