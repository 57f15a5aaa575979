#include "server/http/connection.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <ctime>
#include <utility>

#include "core/base/artifact_limits.h"
#include "server/http/negotiate.h"
#include "server/http/request_check.h"

namespace stele::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto kLingerTime = std::chrono::seconds(1);
constexpr uint64_t kPieceBytes = limits::kArtifactChunkBytes;

// RFC 9110 §5.6.7, always GMT.
std::string HttpDate() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[40];
  const size_t size = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  return std::string(text, size);
}

// What does not depend on the connection.
void SetFields(const HttpResponse& answer, http::response_header<>& header) {
  header.set(http::field::date, HttpDate());
  header.set(http::field::server, "steled");
  header.set(http::field::content_type, answer.content_type);
  header.set(http::field::cache_control, answer.cache_control);
  header.set("X-Content-Type-Options", "nosniff");
  if (!answer.etag.empty()) header.set(http::field::etag, answer.etag);
  if (answer.compressible) header.set(http::field::vary, "Accept-Encoding");
  if (!answer.content_encoding.empty()) {
    header.set(http::field::content_encoding, answer.content_encoding);
  }
  if (answer.status == 405) header.set(http::field::allow, "GET, HEAD");
  if (answer.status == 503) header.set(http::field::retry_after, "5");
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
  body_bytes_ = answer.stream != nullptr ? answer.stream->size() : answer.body.size();
  held_bytes_ = std::min(body_bytes_, answer.stream != nullptr ? kPieceBytes : body_bytes_);
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
         std::chrono::milliseconds(1000 * body_bytes_ / options.answer_bytes_per_second);
}

void HttpConnection::Answer(HttpResponse answer, bool head, bool keep_alive, unsigned version) {
  auto response = std::make_shared<Response>(static_cast<http::status>(answer.status), version);
  SetFields(answer, response->base());
  response->keep_alive(keep_alive);
  const bool streams = answer.stream != nullptr;
  if (answer.status != 304) {
    response->content_length(streams ? answer.stream->size() : answer.body.size());
  }
  if (!head) {
    response->body() = std::move(answer.body);
    stream_body_ = std::move(answer.stream);
  }
  pending_ = response;
  stream_.expires_after(AnswerTime());  // for all of it
  http::async_write(stream_, *response,
                    [self = shared_from_this(), keep_alive](beast::error_code error, size_t) {
                      if (error || self->stream_body_ == nullptr) {
                        return self->OnWritten(error, keep_alive);
                      }
                      self->WriteNextPiece(keep_alive);
                    });
}

void HttpConnection::WriteNextPiece(bool keep_alive) {
  absl::StatusOr<std::string> piece = stream_body_->Next();
  if (!piece.ok())
    return OnWritten(boost::system::errc::make_error_code(boost::system::errc::io_error), false);
  if (piece->empty()) return OnWritten({}, keep_alive);
  piece_ = *std::move(piece);
  boost::asio::async_write(
      stream_, boost::asio::buffer(piece_),
      [self = shared_from_this(), keep_alive](beast::error_code error, size_t) {
        if (error) return self->OnWritten(error, keep_alive);
        self->WriteNextPiece(keep_alive);
      });
}

void HttpConnection::OnWritten(beast::error_code error, bool keep_alive) {
  pending_.reset();
  stream_body_.reset();
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
