// One DownloadArtifact stream: the next piece whenever the one before is written. One piece is in
// memory at a time.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <optional>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/held_reader.h"
#include "server/rpc/streams.h"
#include "stele/v1/artifacts.pb.h"
#include "store/read/content_stream.h"
#include "store/store.h"

namespace stele::server {

// Deletes itself in OnDone.
class DownloadStream final : public grpc::ServerWriteReactor<v1::DownloadArtifactResponse>,
                             public Stream {
 public:
  DownloadStream(store::Store& store, Streams& streams, CallCounts& calls,
                 const v1::DownloadArtifactRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  // The piece being written is the last.
  void Drain() override;

 private:
  absl::Status Open(const v1::DownloadArtifactRequest& request) STELE_REQUIRES(mutex_);
  absl::Status FillNext() STELE_REQUIRES(mutex_);
  void Advance() STELE_REQUIRES(mutex_);

  Streams& streams_;
  CallCounts& calls_;
  v1::DownloadArtifactResponse response_;  // the transport's while writing_

  Mutex mutex_;
  HeldReader reader_ STELE_GUARDED_BY(mutex_);
  std::optional<store::ContentStream> content_ STELE_GUARDED_BY(mutex_);
  absl::Status end_ STELE_GUARDED_BY(mutex_);
  bool begun_ STELE_GUARDED_BY(mutex_) = false;  // the size was told
  bool writing_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
  absl::StatusCode code_ STELE_GUARDED_BY(mutex_) = absl::StatusCode::kCancelled;
};

}  // namespace stele::server
