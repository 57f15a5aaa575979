// A server between a client and an honest one that changes what it is told to: every answer of the
// honest server can be edited before the client sees it, streams can be cut, statements refused.
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "google/rpc/status.pb.h"
#include "stele/v1/artifacts.grpc.pb.h"
#include "stele/v1/log.grpc.pb.h"
#include "stele/v1/proofs.grpc.pb.h"
#include "stele/v1/publish.grpc.pb.h"
#include "stele/v1/query.grpc.pb.h"
#include "stele/v1/records.grpc.pb.h"
#include "stele/v1/server.grpc.pb.h"

namespace stele::client {

// A function that a test sets while threads of the server may be calling it.
template <class Signature>
class Lie;
template <class Result, class... Arguments>
class Lie<Result(Arguments...)> {
 public:
  using Function = std::function<Result(Arguments...)>;
  Lie() = default;
  Lie& operator=(Function function) {
    const std::lock_guard<std::mutex> lock(mutex_);
    function_ = std::move(function);
    return *this;
  }
  // The default result if nothing is set.
  Result operator()(Arguments... arguments) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return function_ ? function_(std::forward<Arguments>(arguments)...) : Result();
  }

 private:
  mutable std::mutex mutex_;
  Function function_;
};

// Edits of answers; an empty one changes nothing. Set before the call that they are for.
struct Lies {
  // Waits until no stream says anything for ever: it would go on with the next test's lies.
  void Clear();

  // Every answer, of whatever call, after its own edit.
  Lie<void(google::protobuf::Message&)> any;
  // While true a stream's last answer is said again and again.
  Lie<bool()> endless;
  mutable std::atomic<int> endless_streams = 0;  // now
  Lie<void(v1::GetServerInfoResponse&)> info;
  Lie<void(v1::GetHeadResponse&)> head;
  Lie<void(v1::GetEntryResponse&)> entry;
  Lie<void(v1::ListEntriesResponse&)> entries;
  Lie<void(v1::ListKeysResponse&)> keys;
  Lie<void(v1::GetInclusionProofResponse&)> inclusion;
  Lie<void(v1::GetConsistencyProofResponse&)> consistency;
  Lie<void(v1::GetTilesResponse&)> tiles;
  Lie<void(v1::GetProvenEntriesResponse&)> proven;
  Lie<void(v1::WatchHeadResponse&)> watched;
  Lie<void(v1::GetContentResponse&)> content;
  Lie<void(v1::FetchContentResponse&)> fetched;
  Lie<void(v1::ResolvePrefixResponse&)> prefix;
  Lie<void(v1::CheckPublicationsResponse&)> publications;
  Lie<void(v1::GetRecordResponse&)> record;
  Lie<void(v1::GetCitationResponse&)> citation;
  Lie<void(v1::GetArtifactResponse&)> artifact;
  Lie<void(v1::UploadArtifactResponse&)> uploaded;
  Lie<void(v1::DownloadArtifactResponse&)> downloaded;
  // True cuts a download before this piece.
  Lie<bool(const v1::DownloadArtifactResponse&)> cut_download;
  Lie<void(v1::PublishResponse&)> published;
  // An error here is answered instead of handing the statement on.
  Lie<std::optional<google::rpc::Status>(const v1::StatementItem&)> refuse;
  // True cuts the stream after the request was handed on, before it is answered.
  Lie<bool(const v1::PublishRequest&)> cut;
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
