#include "client/connection.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <utility>

#include "client/stubs.h"
#include "core/base/limits.h"

namespace stele::client {
namespace {

constexpr int kFirstReconnectMs = 100;
constexpr int kLastReconnectMs = 2000;

std::shared_ptr<grpc::ChannelCredentials> Credentials(const ConnectOptions& options) {
  if (!options.tls) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions ssl;
  ssl.pem_root_certs = options.ca;
  ssl.pem_cert_chain = options.cert;
  ssl.pem_private_key = options.cert_key;
  return grpc::SslCredentials(ssl);
}

std::shared_ptr<grpc::Channel> MakeChannel(const ConnectOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(static_cast<int>(limits::kMessageBytes));
  arguments.SetMaxSendMessageSize(static_cast<int>(limits::kMessageBytes));
  // Several connections to one server are several TCP connections.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  // Retries are ours: only we know what was answered.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  // Not the least backoff: that is also how long one attempt to connect may take.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstReconnectMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLastReconnectMs);
  return grpc::CreateCustomChannel(options.address, Credentials(options), arguments);
}

std::unique_ptr<const Stubs> MakeStubs(const std::shared_ptr<grpc::Channel>& channel) {
  return std::make_unique<const Stubs>(
      Stubs{v1::LogService::NewStub(channel), v1::PublishService::NewStub(channel),
            v1::RecordService::NewStub(channel), v1::ServerService::NewStub(channel),
            v1::ProofService::NewStub(channel), v1::QueryService::NewStub(channel),
            v1::ArtifactService::NewStub(channel)});
}

}  // namespace

Connection::Connection(ConnectOptions options)
    : options_(std::move(options)), stubs_(MakeStubs(MakeChannel(options_))) {}

Connection::~Connection() = default;

}  // namespace stele::client
