#include "server/http/http_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/status_macros.h"
#include "server/http/connection.h"

namespace stele::server {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;

constexpr auto kStopTime = std::chrono::milliseconds(500);
constexpr auto kAcceptPause = std::chrono::milliseconds(50);
constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n"
    "Retry-After: 5\r\nCache-Control: no-store\r\n\r\n";

class HttpServerImpl final : public HttpServer {
 public:
  HttpServerImpl(const HttpOptions& options, HttpHandler handler)
      : address_(options.address),
        shared_(std::make_shared<HttpShared>()),
        acceptor_(asio::make_strand(context_)),
        pause_(acceptor_.get_executor()) {
    shared_->options = options;
    shared_->handler = std::move(handler);
  }
  ~HttpServerImpl() override { HttpServerImpl::Stop(); }

  absl::Status Listen() {
    Error error;
    const tcp::endpoint at(asio::ip::make_address(address_.host, error), address_.port);
    if (!error) acceptor_.open(at.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(at, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) return CannotListen(shared_->options.flag, address_, error.value());
    address_.port = acceptor_.local_endpoint().port();
    return absl::OkStatus();
  }

  void Run() {
    asio::dispatch(acceptor_.get_executor(), [this] { Accept(); });
    for (int i = 0; i < shared_->options.threads; ++i) {
      threads_.emplace_back([this] { context_.run(); });
    }
  }

  const ListenAddress& address() const override { return address_; }

  HttpStats Stats() const override {
    return {shared_->connections, shared_->requests, shared_->refused, shared_->answer_bytes};
  }

  void Stop() override {
    if (threads_.empty()) return;
    shared_->stopping = true;
    asio::post(acceptor_.get_executor(), [this] {
      Error ignored;
      acceptor_.close(ignored);
      pause_.cancel();
    });
    const auto deadline = std::chrono::steady_clock::now() + kStopTime;
    while (shared_->answering != 0 && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    context_.stop();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  void Accept() {
    acceptor_.async_accept(asio::make_strand(context_), [this](Error error, tcp::socket socket) {
      OnAccept(error, std::move(socket));
    });
  }

  void OnAccept(Error error, tcp::socket socket) {
    if (shared_->stopping) return;
    if (error) return Pause();  // out of descriptors: give connections time to close
    if (shared_->connections >= shared_->options.max_connections) {
      Refuse(socket);
    } else {
      std::make_shared<HttpConnection>(std::move(socket), shared_)->Run();
    }
    Accept();
  }

  void Pause() {
    pause_.expires_after(kAcceptPause);
    pause_.async_wait([this](Error error) {
      if (!error && !shared_->stopping) Accept();
    });
  }

  // One small write that fits any socket buffer; never waits.
  void Refuse(tcp::socket& socket) {
    shared_->refused.fetch_add(1);
    Error ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(kBusy), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
  }

  ListenAddress address_;
  const std::shared_ptr<HttpShared> shared_;
  asio::io_context context_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::vector<std::thread> threads_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(const HttpOptions& options,
                                                              HttpHandler handler) {
  auto server = std::make_unique<HttpServerImpl>(options, std::move(handler));
  STELE_RETURN_IF_ERROR(server->Listen());
  server->Run();
  return server;
}

}  // namespace stele::server
