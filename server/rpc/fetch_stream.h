// One FetchContent stream: a request of digests, an answer for each in order, the next request. One
// answer is in memory at a time.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <memory>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/held_reader.h"
#include "server/rpc/streams.h"
#include "stele/v1/records.pb.h"
#include "store/store.h"

namespace stele::server {

// Deletes itself in OnDone.
class FetchStream final
    : public grpc::ServerBidiReactor<v1::FetchContentRequest, v1::FetchContentResponse>,
      public Stream {
 public:
  FetchStream(store::Store& store, Streams& streams, CallCounts& calls);

  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  void Drain() override;

 private:
  void Advance() STELE_REQUIRES(mutex_);
  absl::Status CheckRequest() const STELE_REQUIRES(mutex_);
  absl::Status FillNext() STELE_REQUIRES(mutex_);
  void End(const absl::Status& status) STELE_REQUIRES(mutex_);

  Streams& streams_;
  CallCounts& calls_;
  v1::FetchContentRequest request_;    // the transport's while reading_
  v1::FetchContentResponse response_;  // the transport's while writing_

  Mutex mutex_;
  HeldReader reader_ STELE_GUARDED_BY(mutex_);
  int next_ STELE_GUARDED_BY(mutex_) = 0;  // digest of request_ to answer
  int count_ STELE_GUARDED_BY(mutex_) = 0;
  absl::Status end_ STELE_GUARDED_BY(mutex_);
  bool reading_ STELE_GUARDED_BY(mutex_) = false;
  bool writing_ STELE_GUARDED_BY(mutex_) = false;
  bool reads_done_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
  absl::StatusCode code_ STELE_GUARDED_BY(mutex_) = absl::StatusCode::kCancelled;
};

}  // namespace stele::server
