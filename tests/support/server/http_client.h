// A plain blocking HTTP client for tests, on purpose not built from the server's own library: it
// sends what it is told, well-formed or not, and shows what came back. 127.0.0.1 only, every wait
// bounded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace stele::testing {

struct HttpReply {
  int status = 0;  // 0: the connection ended without an answer
  std::string version;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

class HttpClient {
 public:
  explicit HttpClient(uint16_t port);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  void Send(std::string_view bytes);
  // The next reply on this connection; `head`: it has no body whatever its headers say.
  HttpReply Read(bool head = false);
  // True if the server closes the connection within `seconds`, without further bytes.
  bool ClosedWithin(double seconds);

 private:
  bool Fill(double seconds);  // false: closed or too late

  int fd_ = -1;
  std::string buffer_;
};

// One request on a connection of its own.
HttpReply HttpGet(uint16_t port, std::string_view path, std::string_view method = "GET");

}  // namespace stele::testing
