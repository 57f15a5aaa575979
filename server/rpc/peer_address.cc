#include "server/rpc/peer_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <optional>

namespace stele::server {
namespace {

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  if (const size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

std::string NetworkOf(in6_addr address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    ::inet_ntop(AF_INET, &address.s6_addr[12], text.data(), text.size());
    return text.data();
  }
  std::fill(std::begin(address.s6_addr) + 8, std::end(address.s6_addr), uint8_t{0});
  ::inet_ntop(AF_INET6, &address, text.data(), text.size());
  return std::string(text.data()) + "/64";
}

// What stands in brackets.
std::optional<in6_addr> ReadIpv6(std::string_view peer) {
  const std::string plain = Replaced(Replaced(std::string(peer), "%5B", "["), "%5D", "]");
  const size_t open = plain.find('['), close = plain.find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) return std::nullopt;
  std::string text = plain.substr(open + 1, close - open - 1);
  text = text.substr(0, text.find('%'));  // a zone is the server's own
  in6_addr address{};
  if (::inet_pton(AF_INET6, text.c_str(), &address) != 1) return std::nullopt;
  return address;
}

}  // namespace

std::string PeerAddress(std::string_view peer) {
  constexpr std::string_view kIpv4 = "ipv4:", kIpv6 = "ipv6:";
  if (peer.starts_with(kIpv4)) {
    peer.remove_prefix(kIpv4.size());
    return std::string(peer.substr(0, peer.rfind(':')));
  }
  if (peer.starts_with(kIpv6)) {
    if (const auto address = ReadIpv6(peer)) return NetworkOf(*address);
  }
  return std::string(peer);
}

}  // namespace stele::server
