#include "server/rpc/rpc_server.h"

#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "core/base/status_macros.h"
#include "server/rpc/artifact_service.h"
#include "server/rpc/log_service.h"
#include "server/rpc/proof_service.h"
#include "server/rpc/publish_service.h"
#include "server/rpc/query_service.h"
#include "server/rpc/record_service.h"
#include "server/rpc/server_service.h"
#include "server/rpc/service_limits.h"
#include "server/rpc/streams.h"

namespace stele::server {
namespace {

using std::chrono::milliseconds;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr auto kHealthInterval = milliseconds(250);
// Idle calls of others (health watches, reflection) are not waited for longer.
constexpr auto kRestTime = milliseconds(500);
// A message above limits::kMessageBytes is answered by us, with the limit's name; above this by
// gRPC, in its own words.
constexpr int kReceiveBytes = 2 * static_cast<int>(limits::kMessageBytes);

std::chrono::system_clock::time_point ToSystem(SteadyTime time) {
  return std::chrono::system_clock::now() +
         std::chrono::duration_cast<std::chrono::system_clock::duration>(
             time - std::chrono::steady_clock::now());
}

void SetLimits(grpc::ServerBuilder& builder) {
  grpc::ResourceQuota quota("steled");
  quota.Resize(service_limits::kTransportBytes);
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(kReceiveBytes);
  builder.SetMaxSendMessageSize(-1);  // answers are bounded where they are made
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, service_limits::kConnectionCalls);
  // What may arrive of a stream that is not being read: fixed, not grown with the peer's bandwidth.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES,
                             service_limits::kLookaheadBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, service_limits::kMetadataBytes);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 3);
  // Only reflection is a synchronous service; it needs no more.
  builder.SetSyncServerOption(grpc::ServerBuilder::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::MAX_POLLERS, 2);
}

class RpcServerImpl final : public RpcServer {
 public:
  RpcServerImpl(const RpcOptions& options, store::Store& store, CallCounts& calls)
      : address_(options.address),
        store_(store),
        streams_(service_limits::kStreams),
        publish_(store, streams_, calls),
        records_(store, streams_, calls),
        log_(store, streams_, calls),
        proofs_(store, streams_, calls),
        queries_(store, calls),
        artifacts_(store, streams_, calls, options.limits.upload_idle),
        info_(store, calls, options.version, options.limits) {}

  ~RpcServerImpl() override { Stop(std::chrono::steady_clock::now()); }

  absl::Status Listen() {
    grpc::ServerBuilder builder;
    SetLimits(builder);
    int port = 0;
    builder.AddListeningPort(address_.ToText(), grpc::InsecureServerCredentials(), &port);
    for (grpc::Service* service :
         {static_cast<grpc::Service*>(&publish_), static_cast<grpc::Service*>(&records_),
          static_cast<grpc::Service*>(&log_), static_cast<grpc::Service*>(&proofs_),
          static_cast<grpc::Service*>(&queries_), static_cast<grpc::Service*>(&artifacts_),
          static_cast<grpc::Service*>(&info_)}) {
      builder.RegisterService(service);
    }
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port == 0) {
      const int error = ProbeBind(address_);  // gRPC does not say why
      return CannotListen("--listen", address_, error == 0 ? EADDRINUSE : error);
    }
    address_.port = static_cast<uint16_t>(port);
    SetReadersServing(true);
    SetPublishServing(store_.write_state().ok());
    health_thread_ = std::thread([this] { WatchWriteState(); });
    return absl::OkStatus();
  }

  const ListenAddress& address() const override { return address_; }

  RpcStats Stats() const override {
    return {streams_.size(), streams_.load().statements, streams_.load().bytes};
  }

  void BeginDrain() override {
    {
      MutexLock lock(mutex_);
      if (draining_) return;
      draining_ = true;
      wake_.NotifyAll();
    }
    if (health_thread_.joinable()) health_thread_.join();
    if (server_ != nullptr) {
      SetPublishServing(false);
      SetReadersServing(false);
    }
    streams_.Drain();
  }

  bool Stop(SteadyTime deadline) override {
    BeginDrain();
    if (server_ == nullptr) return true;
    const bool ended = streams_.WaitUntilEmpty(deadline);
    const SteadyTime rest = std::chrono::steady_clock::now() + kRestTime;
    server_->Shutdown(ToSystem(std::min(deadline, rest)));  // then cancels, and waits for the end
    server_->Wait();
    server_.reset();
    return ended;
  }

 private:
  void SetPublishServing(bool serving) {
    auto* health = server_->GetHealthCheckService();
    health->SetServingStatus("", serving);
    health->SetServingStatus(v1::PublishService::service_full_name(), serving);
  }
  void SetReadersServing(bool serving) {
    auto* health = server_->GetHealthCheckService();
    for (const char* name :
         {v1::RecordService::service_full_name(), v1::LogService::service_full_name(),
          v1::ProofService::service_full_name(), v1::QueryService::service_full_name(),
          v1::ArtifactService::service_full_name(), v1::ServerService::service_full_name()}) {
      health->SetServingStatus(name, serving);
    }
  }

  void WatchWriteState() {
    bool serving = store_.write_state().ok();
    SetPublishServing(serving);
    MutexLock lock(mutex_);
    while (!draining_) {
      wake_.WaitUntil(mutex_, std::chrono::steady_clock::now() + kHealthInterval);
      const bool now = store_.write_state().ok();
      if (now != serving && !draining_) SetPublishServing(serving = now);
    }
  }

  ListenAddress address_;
  store::Store& store_;
  Streams streams_;
  PublishService publish_;
  RecordService records_;
  LogService log_;
  ProofService proofs_;
  QueryService queries_;
  ArtifactService artifacts_;
  ServerService info_;
  std::unique_ptr<grpc::Server> server_;
  std::thread health_thread_;
  Mutex mutex_;
  CondVar wake_;
  bool draining_ STELE_GUARDED_BY(mutex_) = false;
};

// gRPC prints to stderr what peers do wrong, line after line; it is asked to only when somebody
// sets its own variable.
void SilenceGrpc() {
  if (std::getenv("GRPC_VERBOSITY") == nullptr) gpr_set_log_function([](gpr_log_func_args*) {});
}

}  // namespace

absl::StatusOr<std::unique_ptr<RpcServer>> RpcServer::Start(const RpcOptions& options,
                                                            store::Store& store,
                                                            CallCounts& calls) {
  SilenceGrpc();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto server = std::make_unique<RpcServerImpl>(options, store, calls);
  STELE_RETURN_IF_ERROR(server->Listen());
  return server;
}

}  // namespace stele::server
