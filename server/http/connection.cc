#include "server/http/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <ctime>
#include <utility>

#include "server/http/negotiate.h"
#include "server/http/request_check.h"

namespace stele::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto kLingerTime = std::chrono::seconds(1);

// RFC 9110 §5.6.7, always GMT.
std::string HttpDate() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[40];
  const size_t size = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return std::string(text, size);
}

}  // namespace

HttpConnection::HttpConnection(boost::asio::ip::tcp::socket socket,
                               std::shared_ptr<HttpShared> shared)
    : stream_(std::move(socket)),
      shared_(std::move(shared)),
      buffer_(shared_->options.header_bytes + 4096) {
  shared_->connections.fetch_add(1);
}

HttpConnection::~HttpConnection() {
  Release();
  shared_->connections.fetch_sub(1);
}

void HttpConnection::Run() {
  boost::asio::dispatch(stream_.get_executor(), [self = shared_from_this()] { self->Read(); });
}

void HttpConnection::Read() {
  parser_.emplace();
  parser_->header_limit(static_cast<uint32_t>(shared_->options.header_bytes));
  parser_->body_limit(UINT64_MAX);  // a body is refused by what the header says
  stream_.expires_after(shared_->options.request_time);
  http::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](beast::error_code error, size_t) { self->OnRead(error); });
}

void HttpConnection::OnRead(beast::error_code error) {
  std::optional<HttpResponse> refusal =
      error ? AnswerToParseError(error) : CheckHeader(parser_->get().base());
  if (error && !refusal) return Close();
  shared_->answering.fetch_add(1);
  const bool head = parser_->get().method() == http::verb::head;
  if (refusal) {
    shared_->refused.fetch_add(1);
    return Answer(*std::move(refusal), head, /*keep_alive=*/false, 11);
  }
  shared_->requests.fetch_add(1);
  const bool keep_alive = parser_->keep_alive() && !shared_->stopping;
  Answer(Handle(), head, keep_alive, parser_->get().version());
}

HttpResponse HttpConnection::Handle() {
  const HttpRequest request = RequestOf(parser_->get().base());
  HttpResponse answer = Negotiate(request, shared_->handler(request));
  held_bytes_ = answer.body.size();
  const uint64_t sent = shared_->answer_bytes.fetch_add(held_bytes_);
  // The first one always fits.
  if (sent == 0 || sent + held_bytes_ <= shared_->options.answers_bytes) return answer;
  Release();
  return HttpError(503, "the server is sending as much as it can; try again later");
}

void HttpConnection::Release() {
  shared_->answer_bytes.fetch_sub(held_bytes_);
  held_bytes_ = 0;
}

std::chrono::milliseconds HttpConnection::AnswerTime() const {
  const HttpOptions& options = shared_->options;
  return options.answer_time +
         std::chrono::milliseconds(1000 * held_bytes_ / options.answer_bytes_per_second);
}

void HttpConnection::Answer(HttpResponse answer, bool head, bool keep_alive, unsigned version) {
  auto response = std::make_shared<Response>(static_cast<http::status>(answer.status), version);
  response->set(http::field::date, HttpDate());
  response->set(http::field::server, "steled");
  response->set(http::field::content_type, answer.content_type);
  response->set(http::field::cache_control, answer.cache_control);
  response->set("X-Content-Type-Options", "nosniff");
  if (!answer.etag.empty()) response->set(http::field::etag, answer.etag);
  if (answer.compressible) response->set(http::field::vary, "Accept-Encoding");
  if (!answer.content_encoding.empty()) {
    response->set(http::field::content_encoding, answer.content_encoding);
  }
  if (answer.status == 405) response->set(http::field::allow, "GET, HEAD");
  if (answer.status == 503) response->set(http::field::retry_after, "5");
  response->keep_alive(keep_alive);
  if (answer.status != 304) response->content_length(answer.body.size());
  if (!head) response->body() = std::move(answer.body);
  pending_ = response;
  stream_.expires_after(AnswerTime());
  http::async_write(stream_, *response,
                    [self = shared_from_this(), keep_alive](beast::error_code error, size_t) {
                      self->OnWritten(error, keep_alive);
                    });
}

void HttpConnection::OnWritten(beast::error_code error, bool keep_alive) {
  pending_.reset();
  Release();
  shared_->answering.fetch_sub(1);
  if (error) return Close();
  if (!keep_alive || shared_->stopping) return Linger();
  Read();
}

void HttpConnection::Linger() {
  beast::error_code error;
  stream_.socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, error);
  if (error) return Close();
  stream_.expires_after(kLingerTime);
  Discard();
}

void HttpConnection::Discard() {
  stream_.async_read_some(boost::asio::buffer(discarded_),
                          [self = shared_from_this()](beast::error_code error, size_t) {
                            error ? self->Close() : self->Discard();
                          });
}

void HttpConnection::Close() { stream_.close(); }

}  // namespace stele::server
