// One connection of HttpServer: reads a request, answers it, again. Owned by its pending
// operations; all of them run on one strand.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <memory>
#include <optional>

#include "server/http/http_server.h"
#include "server/http/message.h"

namespace stele::server {

// Shared by the server and its connections.
struct HttpShared {
  HttpOptions options;
  HttpHandler handler;
  std::atomic<bool> stopping{false};
  std::atomic<uint64_t> connections{0};
  std::atomic<uint64_t> answering{0};     // requests read and not yet answered
  std::atomic<uint64_t> answer_bytes{0};  // of the bodies among them
  std::atomic<uint64_t> requests{0}, refused{0};
};

class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(boost::asio::ip::tcp::socket socket, std::shared_ptr<HttpShared> shared);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void Run();

 private:
  using Request = boost::beast::http::request<boost::beast::http::empty_body>;
  using Response = boost::beast::http::response<boost::beast::http::string_body>;

  void Read();
  void OnRead(boost::beast::error_code error);
  // What the handler says to this request, unless too much is being sent already.
  HttpResponse Handle();
  void Release();
  std::chrono::milliseconds AnswerTime() const;
  void Answer(HttpResponse answer, bool head, bool keep_alive, unsigned version);
  // The header is written: the pieces follow, one in memory at a time.
  void WriteNextPiece(bool keep_alive);
  void OnWritten(boost::beast::error_code error, bool keep_alive);
  // Ends the sending side and waits a moment for the peer's: closing over bytes that were not read
  // resets the connection, and may take the answer with it.
  void Linger();
  void Discard();
  void Close();

  boost::beast::tcp_stream stream_;
  const std::shared_ptr<HttpShared> shared_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>> parser_;
  std::shared_ptr<void> pending_;          // the response, or its header, being written
  std::shared_ptr<HttpBody> stream_body_;  // what comes behind the header
  std::string piece_;                      // of it, being written
  uint64_t body_bytes_ = 0;                // of the whole body
  uint64_t held_bytes_ = 0;                // of it in memory, in shared_->answer_bytes
  std::array<char, 4096> discarded_;
};

}  // namespace stele::server
