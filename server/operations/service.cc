#include "server/operations/service.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "server/base/cat.h"
#include "server/files/files.h"

namespace stele::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kAdminConnections = 64;
// Of the drain timeout, kept for answers under way and for closing.
constexpr auto kClosing = std::chrono::milliseconds(2000);

store::GuestLimits GuestLimitsOf(const Config& config) {
  return {.envelope_bytes = config.guest_envelope_bytes,
          .key_statements_per_day = config.guest_key_statements,
          .address_statements_per_day = config.guest_address_statements,
          .statements_per_day = config.guest_statements};
}

store::ArtifactOptions ArtifactOptionsOf(const Config& config) {
  store::ArtifactOptions options;
  options.artifact_bytes = config.artifact_bytes;
  options.staged_bytes = std::max(config.staged_bytes, config.artifact_bytes);  // one has to fit
  options.staged_time = config.staged_time;
  return options;
}

absl::StatusOr<PrivateKey> ReadKeyFile(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream pem;
  if (in) pem << in.rdbuf();
  if (!in) return absl::NotFoundError(Cat("cannot read the --log-key file ", file.string()));
  absl::StatusOr<PrivateKey> key = PrivateKey::FromPem(pem.str());
  if (key.ok() && key->public_key().algorithm() == KeyAlgorithm::kEd25519) return key;
  return absl::InvalidArgumentError(
      Cat("the --log-key file ", file.string(), " is no Ed25519 private key"));
}

absl::StatusOr<store::OpenOptions> StoreOptions(const Config& config, EventLog& log) {
  store::OpenOptions options;
  for (const std::filesystem::path& file : config.log_keys) {
    STELE_ASSIGN_OR_RETURN(PrivateKey key, ReadKeyFile(file));
    options.further_log_keys.push_back(std::move(key));
  }
  options.dir = config.data;
  options.guard = config.guard;
  options.accept_no_guard = config.accept_no_guard;
  options.accept_clock = config.accept_clock;
  options.disk_reserve_bytes = config.disk_reserve_bytes;
  options.admission_threads = config.admission_threads;
  options.queue_statements = config.queue_statements;
  options.guests = GuestLimitsOf(config);
  options.artifacts = ArtifactOptionsOf(config);
  options.cache_bytes = config.cache_bytes;
  options.write_buffer_bytes = config.write_buffer_bytes;
  options.log = [&log](std::string_view severity, std::string_view message) {
    log.Write(severity, message);
  };
  return options;
}

std::chrono::milliseconds Left(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
  return std::max(left, std::chrono::milliseconds(0));
}

}  // namespace

Service::Service(const Config& config, std::string_view version, EventLog& log)
    : config_(config), version_(version), log_(log) {}

Service::~Service() {
  admin_http_.reset();
  http_.reset();
  rpc_.reset();
  store_.reset();
}

absl::StatusOr<std::unique_ptr<Service>> Service::Start(const Config& config,
                                                        std::string_view version, EventLog& log) {
  std::unique_ptr<Service> service(new Service(config, version, log));
  STELE_ASSIGN_OR_RETURN(const store::OpenOptions options, StoreOptions(config, log));
  STELE_ASSIGN_OR_RETURN(service->store_, store::Store::Open(options));
  STELE_RETURN_IF_ERROR(service->StartListeners());
  return service;
}

absl::Status Service::StartListeners() {
  RpcOptions rpc;
  STELE_ASSIGN_OR_RETURN(rpc.address, ParseListenAddress(config_.listen));
  rpc.version = version_;
  rpc.limits = {.queue_statements = config_.queue_statements,
                .http_connections = config_.max_connections,
                .guests = GuestLimitsOf(config_),
                .artifacts = ArtifactOptionsOf(config_)};
  STELE_ASSIGN_OR_RETURN(rpc_, RpcServer::Start(rpc, *store_, calls_));
  return StartHttp();
}

absl::Status Service::StartHttp() {
  HttpOptions http;
  STELE_ASSIGN_OR_RETURN(http.address, ParseListenAddress(config_.http));
  http.flag = "--http";
  http.threads = 2;
  http.max_connections = config_.max_connections;
  const ReaderSource source = [store = store_.get()] { return store->GetReader(); };
  STELE_ASSIGN_OR_RETURN(http_, HttpServer::Start(http, [source](const HttpRequest& request) {
                           return AnswerFile(source, request);
                         }));
  admin_ = std::make_unique<Admin>(*store_, calls_, [this](MetricValues& values) {
    const RpcStats rpc = rpc_->Stats();
    const HttpStats files = http_->Stats();
    values.version = version_;
    values.streams = rpc.streams;
    values.unanswered_statements = rpc.unanswered_statements;
    values.unanswered_bytes = rpc.unanswered_bytes;
    values.http_connections = files.connections;
    values.http_requests = files.requests;
    values.http_refused = files.refused;
  });
  HttpOptions admin;
  STELE_ASSIGN_OR_RETURN(admin.address, ParseListenAddress(config_.admin));
  admin.flag = "--admin";
  admin.max_connections = kAdminConnections;
  STELE_ASSIGN_OR_RETURN(admin_http_, HttpServer::Start(admin, [this](const HttpRequest& request) {
                           return admin_->Answer(request);
                         }));
  return absl::OkStatus();
}

std::string Service::Addresses() const {
  return Cat("grpc=", rpc_->address().ToText(), " http=", http_->address().ToText(),
             " admin=", admin_http_->address().ToText());
}

absl::Status Service::Stop() {
  const Clock::time_point deadline = Clock::now() + config_.drain_timeout;
  admin_->BeginDrain();
  rpc_->BeginDrain();
  const absl::Status drained =
      store_->Drain(std::max(Left(deadline - kClosing), config_.drain_timeout / 2));
  if (!rpc_->Stop(deadline - std::min<Clock::duration>(kClosing, config_.drain_timeout / 4))) {
    log_.Warning("some streams were cut off: their clients did not read their answers in time");
  }
  http_->Stop();
  admin_http_->Stop();
  return drained;
}

}  // namespace stele::server
