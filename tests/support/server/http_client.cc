#include "tests/support/server/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace stele::testing {
namespace {

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

HttpReply ParseHead(const std::string& head) {
  HttpReply reply;
  size_t line_end = head.find("\r\n");
  reply.version = head.substr(0, head.find(' '));
  reply.status = std::stoi(head.substr(head.find(' ') + 1, 3));
  while (line_end + 2 < head.size()) {
    const size_t begin = line_end + 2;
    line_end = head.find("\r\n", begin);
    const std::string line = head.substr(begin, line_end - begin);
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    reply.headers[Lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
  return reply;
}

}  // namespace

HttpClient::HttpClient(uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_, reinterpret_cast<sockaddr*>(&at), sizeof(at)) != 0) {
    throw std::runtime_error("cannot connect to port " + std::to_string(port));
  }
}

HttpClient::~HttpClient() { close(fd_); }

void HttpClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the server may refuse in the middle; Read shows with what
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
}

bool HttpClient::Fill(double seconds) {
  pollfd waiting{fd_, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(seconds * 1000)) <= 0) return false;
  char bytes[16384];
  const ssize_t got = recv(fd_, bytes, sizeof(bytes), 0);
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<size_t>(got));
  return true;
}

HttpReply HttpClient::Read(bool head) {
  size_t end;
  while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
    if (!Fill(30)) return {};
  }
  HttpReply reply = ParseHead(buffer_.substr(0, end + 2));
  buffer_.erase(0, end + 4);
  const auto length = reply.headers.find("content-length");
  if (head || length == reply.headers.end()) return reply;
  const size_t size = std::stoul(length->second);
  while (buffer_.size() < size && Fill(30)) {
  }
  reply.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return reply;
}

bool HttpClient::ClosedWithin(double seconds) {
  pollfd waiting{fd_, POLLIN, 0};
  if (!buffer_.empty() || poll(&waiting, 1, static_cast<int>(seconds * 1000)) <= 0) return false;
  char byte;
  return recv(fd_, &byte, 1, 0) <= 0;
}

HttpReply HttpGet(uint16_t port, std::string_view path, std::string_view method) {
  HttpClient client(port);
  client.Send(std::string(method) + " " + std::string(path) +
              " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
  return client.Read(method == "HEAD");
}

}  // namespace stele::testing
