// A server between a client and an honest one that changes what it is told to: every answer of the
// honest server can be edited before the client sees it, streams can be cut, statements refused.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "google/rpc/status.pb.h"
#include "stele/v1/log.grpc.pb.h"
#include "stele/v1/publish.grpc.pb.h"
#include "stele/v1/records.grpc.pb.h"
#include "stele/v1/server.grpc.pb.h"

namespace stele::client {

// Edits of answers; an empty one changes nothing. Set before the call that they are for.
struct Lies {
  std::function<void(v1::GetServerInfoResponse&)> info;
  std::function<void(v1::GetHeadResponse&)> head;
  std::function<void(v1::GetEntryResponse&)> entry;
  std::function<void(v1::ListEntriesResponse&)> entries;
  std::function<void(v1::ListKeysResponse&)> keys;
  std::function<void(v1::GetContentResponse&)> content;
  std::function<void(v1::FetchContentResponse&)> fetched;
  std::function<void(v1::ResolvePrefixResponse&)> prefix;
  std::function<void(v1::CheckPublicationsResponse&)> publications;
  std::function<void(v1::GetRecordResponse&)> record;
  std::function<void(v1::PublishResponse&)> published;
  // An error here is answered instead of handing the statement on.
  std::function<std::optional<google::rpc::Status>(const v1::StatementItem&)> refuse;
  // True cuts the stream after the request was handed on, before it is answered.
  std::function<bool(const v1::PublishRequest&)> cut;
};

class LyingServer {
 public:
  // `honest` is the address of the server behind. Listens on a free port of 127.0.0.1.
  explicit LyingServer(const std::string& honest,
                       const std::shared_ptr<grpc::ServerCredentials>& credentials =
                           grpc::InsecureServerCredentials());
  ~LyingServer();

  const std::string& address() const { return address_; }
  Lies lies;

 private:
  struct Services;
  std::unique_ptr<Services> services_;
  std::unique_ptr<grpc::Server> server_;
  std::string address_;
};

}  // namespace stele::client
