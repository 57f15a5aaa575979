#include "tests/server/rpc/wire/rpc_client.h"

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/sync_stream.h>
#include <gtest/gtest.h>

#include "core/base/limits.h"
#include "tests/support/store/collect_sink.h"

namespace stele::server {
namespace {

grpc::ByteBuffer ToBuffer(const std::string& bytes) {
  grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string ToBytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) {
    bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return bytes;
}

void SetDeadline(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(30));
}

}  // namespace

ServedLog::ServedLog(const store::GuestLimits& guests, store::Clock clock)
    : ServedLog(ConfiguredLimits{.guests = guests}, std::move(clock)) {}

ServedLog::ServedLog(const ConfiguredLimits& limits, store::Clock clock)
    : log(0, limits.guests, std::move(clock)) {
  RpcOptions options;
  options.address = {"127.0.0.1", 0};
  options.version = "1.2.3";
  options.limits = limits;
  auto server = RpcServer::Start(options, log.store(), calls);
  EXPECT_TRUE(server.ok()) << server.status();
  rpc = *std::move(server);
}

std::shared_ptr<grpc::Channel> ServedLog::Connect() const {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  // A receive window that does not grow: what is not read stays with the server.
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 * 1024);
  arguments.SetMaxReceiveMessageSize(static_cast<int>(limits::kMessageBytes));
  arguments.SetMaxSendMessageSize(-1);
  return grpc::CreateCustomChannel(rpc->address().ToText(), grpc::InsecureChannelCredentials(),
                                   arguments);
}

v1::PublishRequest Publications(const PrivateKey& publisher, int begin, int end, size_t padding) {
  v1::PublishRequest request;
  for (int n = begin; n < end; ++n) {
    *request.add_items() = ToWire(testing::SignPublication(testing::TestManifest(n, "", padding),
                                                           publisher, static_cast<uint64_t>(n)));
  }
  return request;
}

absl::Status VerifyResult(const v1::PublishResponse& response, const v1::PublishResult& result,
                          const NoteVerifier& verifier) {
  if (!result.has_receipt()) return absl::InternalError(result.error().message());
  std::vector<std::string> hashes;
  for (size_t at = 0; at < result.receipt().proof().size(); at += Hash::kBytes) {
    hashes.push_back(result.receipt().proof().substr(at, Hash::kBytes));
  }
  auto proof = ProofFromBytes(hashes);
  if (!proof.ok()) return proof.status();
  return testing::VerifyReceipt({.index = EntryIndex(result.receipt().index()),
                                 .leaf = result.receipt().leaf(),
                                 .proof = *proof,
                                 .replayed = result.receipt().replayed()},
                                response.checkpoint(), verifier);
}

google::rpc::ErrorInfo InfoOf(const google::rpc::Status& status) {
  google::rpc::ErrorInfo info;
  for (const auto& any : status.details()) {
    if (any.UnpackTo(&info)) return info;
  }
  ADD_FAILURE() << "no ErrorInfo: " << status.DebugString();
  return info;
}

google::rpc::ErrorInfo InfoOf(const grpc::Status& status) {
  google::rpc::Status details;
  EXPECT_TRUE(details.ParseFromString(status.error_details()));
  EXPECT_EQ(details.code(), status.error_code()) << status.error_message();
  return InfoOf(details);
}

std::string RawUnary(grpc::Channel& channel, const std::string& method,
                     const std::string& request) {
  grpc::ClientContext context;
  SetDeadline(context);
  grpc::ByteBuffer answer;
  const grpc::Status status = grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(
      &channel, grpc::internal::RpcMethod(method.c_str(), grpc::internal::RpcMethod::NORMAL_RPC),
      &context, ToBuffer(request), &answer);
  EXPECT_TRUE(status.ok()) << method << ": " << status.error_message();
  return ToBytes(answer);
}

std::string RawStream(grpc::Channel& channel, const std::string& method,
                      const std::string& request) {
  grpc::ClientContext context;
  SetDeadline(context);
  std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
      grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>::Create(
          &channel,
          grpc::internal::RpcMethod(method.c_str(), grpc::internal::RpcMethod::BIDI_STREAMING),
          &context));
  grpc::ByteBuffer answer;
  EXPECT_TRUE(stream->Write(ToBuffer(request)));
  EXPECT_TRUE(stream->WritesDone());
  EXPECT_TRUE(stream->Read(&answer));
  const grpc::Status status = stream->Finish();
  EXPECT_TRUE(status.ok()) << method << ": " << status.error_message();
  return ToBytes(answer);
}

}  // namespace stele::server
