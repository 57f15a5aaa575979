// One Publish stream of a blocking client.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <chrono>
#include <memory>

#include "stele/v1/publish.grpc.pb.h"

namespace stele::server {

struct ClientStream {
  explicit ClientStream(const std::shared_ptr<grpc::Channel>& channel,
                        std::chrono::milliseconds time = std::chrono::minutes(2))
      : stub(v1::PublishService::NewStub(channel)) {
    context.set_deadline(std::chrono::system_clock::now() + time);
    stream = stub->Publish(&context);
  }
  std::unique_ptr<v1::PublishService::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::PublishRequest, v1::PublishResponse>> stream;
};

}  // namespace stele::server
