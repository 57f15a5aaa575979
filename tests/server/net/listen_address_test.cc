#include "server/net/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace stele::server {
namespace {

using ::testing::HasSubstr;

TEST(ListenAddressTest, ParsesAndFormats) {
  const struct {
    const char* text;
    const char* host;
    uint16_t port;
    const char* again;
  } kCases[] = {{"127.0.0.1:7420", "127.0.0.1", 7420, "127.0.0.1:7420"},
                {"0.0.0.0:0", "0.0.0.0", 0, "0.0.0.0:0"},
                {"[::1]:65535", "::1", 65535, "[::1]:65535"},
                {"localhost:80", "127.0.0.1", 80, "127.0.0.1:80"}};
  for (const auto& c : kCases) {
    auto address = ParseListenAddress(c.text);
    ASSERT_TRUE(address.ok()) << c.text;
    EXPECT_EQ(address->host, c.host);
    EXPECT_EQ(address->port, c.port);
    EXPECT_EQ(address->ToText(), c.again);
  }
}

TEST(ListenAddressTest, RefusesAnythingElse) {
  for (const char* text :
       {"", ":7420", "7420", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1: 80", "127.0.0.1:+80", "::1:80", "[::1]", "[127.0.0.1]:80", "example.com:80",
        "256.0.0.1:80", "[]:80", "unix:/tmp/x:1"}) {
    auto address = ParseListenAddress(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_EQ(address.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(address.status().message()), HasSubstr("127.0.0.1:7420"));
  }
}

TEST(ListenAddressTest, ProbeNamesABusyPort) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(bind(fd, reinterpret_cast<sockaddr*>(&at), sizeof(at)), 0);
  ASSERT_EQ(listen(fd, 1), 0);
  socklen_t size = sizeof(at);
  ASSERT_EQ(getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size), 0);
  const ListenAddress busy{"127.0.0.1", ntohs(at.sin_port)};
  EXPECT_EQ(ProbeBind(busy), EADDRINUSE);
  close(fd);
  EXPECT_EQ(ProbeBind(busy), 0);
  EXPECT_THAT(std::string(CannotListen("--http", busy, EADDRINUSE).message()),
              HasSubstr("(--http): Address already in use"));
}

}  // namespace
}  // namespace stele::server
