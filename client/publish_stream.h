// One stream of PublishService.Publish, from opening to its end. Internal to this folder.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <functional>
#include <memory>

#include "client/publish_queue.h"
#include "client/stubs.h"
#include "core/merkle/inclusion_verifier.h"

namespace stele::client {

// Run from one thread; Cancel from any.
class PublishStream {
 public:
  // Called from the reading thread, one call at a time, for every statement that is decided.
  using Decided = std::function<void(const PendingStatement&, absl::StatusOr<Published>)>;

  // The references must outlive the stream.
  PublishStream(const Connection& connection, CheckpointVerifier& verifier, PublishQueue& queue,
                const Decided& decided, bool keep_receipts);

  // Writes what the queue has and reads answers until the stream ends, is cancelled, or the queue
  // is closed. How it ended: DATA_LOSS if an answer did not verify, else gRPC's status (OK too if
  // the server just ended it).
  absl::Status Run();
  void Cancel() { context_.TryCancel(); }

 private:
  using Stream = grpc::ClientReaderWriter<v1::PublishRequest, v1::PublishResponse>;

  bool Write(const std::vector<PendingPtr>& batch);
  void ReadAnswers();
  absl::Status TakeResponse(v1::PublishResponse& response);
  absl::Status TakeReceipt(const PendingStatement& pending, v1::Receipt& receipt,
                           InclusionVerifier& tree, const std::string& note);
  absl::StatusOr<std::string> FetchEnvelope(const Digest& digest) const;
  void TakeError(const PendingPtr& pending, absl::Status error);

  const Connection& connection_;
  CheckpointVerifier& verifier_;
  PublishQueue& queue_;
  const Decided& decided_;
  const bool keep_receipts_;
  grpc::ClientContext context_;
  std::unique_ptr<Stream> stream_;
  TreeSize floor_;      // the reading thread's
  absl::Status fault_;  // the reading thread's until it is joined
};

}  // namespace stele::client
