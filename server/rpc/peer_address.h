// The address that a caller's statements are counted by, out of what gRPC calls its peer. Pure.
#pragma once

#include <string>
#include <string_view>

namespace stele::server {

// "ipv4:192.0.2.7:4711" gives "192.0.2.7". Of IPv6 the network of 64 bits, which is what one caller
// has: "ipv6:[2001:db8::7]:4711" (brackets as they are, or as %5B and %5D) gives "2001:db8::/64",
// and an IPv4 address written in IPv6 that address. Anything else is taken as it is.
std::string PeerAddress(std::string_view peer);

}  // namespace stele::server
