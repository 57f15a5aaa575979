// One UploadArtifact stream: a message is read, worked off on a thread of the desk, then the next
// one. One message is in memory at a time.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <chrono>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/streams.h"
#include "server/rpc/upload_desk.h"
#include "stele/v1/artifacts.pb.h"
#include "store/store.h"

namespace stele::server {

// Deletes itself in OnDone, which never comes while the desk works for it.
class UploadStream final : public grpc::ServerReadReactor<v1::UploadArtifactRequest>,
                           public Stream,
                           public UploadDesk::Guest {
 public:
  UploadStream(store::Store& store, Streams& streams, UploadDesk& desk, CallCounts& calls,
               v1::UploadArtifactResponse& response);

  void OnReadDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void Drain() override;
  void LookAtClock(std::chrono::steady_clock::time_point now) override;

 private:
  // On the desk. An error, or an answer, or neither: more is to be read.
  absl::Status Work(bool more);
  absl::Status Start();
  absl::Status Append();
  void Answer(const store::ArtifactState& state);

  void Stop(const absl::Status& why) STELE_REQUIRES(mutex_);
  void Advance() STELE_REQUIRES(mutex_);

  store::Store& store_;
  Streams& streams_;
  UploadDesk& desk_;
  CallCounts& calls_;
  v1::UploadArtifactResponse& response_;
  v1::UploadArtifactRequest request_;  // the transport's while reading_, the desk's while working_
  // The desk's while working_.
  std::unique_ptr<store::ArtifactUpload> upload_;
  bool started_ = false;
  bool answered_ = false;

  Mutex mutex_;
  absl::Status end_ STELE_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point asked_ STELE_GUARDED_BY(mutex_);  // for the next message
  bool reading_ STELE_GUARDED_BY(mutex_) = false;
  bool working_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
  absl::StatusCode code_ STELE_GUARDED_BY(mutex_) = absl::StatusCode::kCancelled;
};

}  // namespace stele::server
