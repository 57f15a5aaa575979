#include "server/rpc/peer_address.h"

#include <gtest/gtest.h>

namespace stele::server {
namespace {

TEST(PeerAddressTest, OneAddressWhateverThePort) {
  EXPECT_EQ(PeerAddress("ipv4:192.0.2.7:4711"), "192.0.2.7");
  EXPECT_EQ(PeerAddress("ipv4:192.0.2.7:1"), "192.0.2.7");
  EXPECT_EQ(PeerAddress("ipv6:[2001:db8::7]:4711"), "2001:db8::/64");
  EXPECT_EQ(PeerAddress("ipv6:%5B2001:db8::7%5D:4711"), "2001:db8::/64");
}

TEST(PeerAddressTest, ANetworkIsOneCaller) {
  EXPECT_EQ(PeerAddress("ipv6:[2001:db8:1:2:3:4:5:6]:1"), "2001:db8:1:2::/64");
  EXPECT_EQ(PeerAddress("ipv6:[2001:db8:1:2:ffff::1]:2"), "2001:db8:1:2::/64");
  EXPECT_EQ(PeerAddress("ipv6:[2001:db8:1:3::1]:2"), "2001:db8:1:3::/64");
  EXPECT_EQ(PeerAddress("ipv6:[fe80::1%eth0]:2"), "fe80::/64");
}

TEST(PeerAddressTest, Ipv4InIpv6IsThatIpv4) {
  EXPECT_EQ(PeerAddress("ipv6:[::ffff:192.0.2.7]:4711"), "192.0.2.7");
}

TEST(PeerAddressTest, WhatIsNotAnAddressIsTakenAsItIs) {
  EXPECT_EQ(PeerAddress("unix:/run/stele"), "unix:/run/stele");
  EXPECT_EQ(PeerAddress(""), "");
  EXPECT_EQ(PeerAddress("ipv6:[no address]:1"), "ipv6:[no address]:1");
  EXPECT_EQ(PeerAddress("ipv6:]["), "ipv6:][");
}

}  // namespace
}  // namespace stele::server
