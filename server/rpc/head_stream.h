// One WatchHead stream: the newest head whenever the one before is written. What a slow client
// misses is skipped, so that one answer is in memory.
#pragma once

#include <grpcpp/support/server_callback.h>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/head_watch.h"
#include "server/rpc/streams.h"
#include "stele/v1/proofs.pb.h"
#include "store/store.h"

namespace stele::server {

// Deletes itself in OnDone.
class HeadStream final : public grpc::ServerWriteReactor<v1::WatchHeadResponse>,
                         public Stream,
                         public HeadWatcher {
 public:
  HeadStream(store::Store& store, Streams& streams, HeadWatch& watch, CallCounts& calls,
             const v1::WatchHeadRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  // The head being written is the last.
  void Drain() override;
  void OnHeadMoved() override;

 private:
  void Advance() STELE_REQUIRES(mutex_);
  absl::Status FillNext(bool& newer) STELE_REQUIRES(mutex_);
  void End(const absl::Status& status) STELE_REQUIRES(mutex_);

  store::Store& store_;
  Streams& streams_;
  HeadWatch& watch_;
  CallCounts& calls_;
  v1::WatchHeadResponse response_;  // the transport's while writing_

  Mutex mutex_;
  TreeSize known_ STELE_GUARDED_BY(mutex_);  // what the client has
  absl::Status end_ STELE_GUARDED_BY(mutex_);
  bool writing_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
  absl::StatusCode code_ STELE_GUARDED_BY(mutex_) = absl::StatusCode::kCancelled;
};

}  // namespace stele::server
