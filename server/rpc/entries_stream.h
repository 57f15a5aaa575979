// One ListEntries stream: pages of a range, the next made when the one before is written.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <cstdint>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/held_reader.h"
#include "server/rpc/streams.h"
#include "stele/v1/log.pb.h"
#include "store/store.h"

namespace stele::server {

// Deletes itself in OnDone.
class EntriesStream final : public grpc::ServerWriteReactor<v1::ListEntriesResponse>,
                            public Stream {
 public:
  EntriesStream(store::Store& store, Streams& streams, CallCounts& calls,
                const v1::ListEntriesRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  // The page being written is the last.
  void Drain() override;

 private:
  absl::Status Begin(const v1::ListEntriesRequest& request) STELE_REQUIRES(mutex_);
  absl::Status FillPage() STELE_REQUIRES(mutex_);
  void Advance() STELE_REQUIRES(mutex_);
  void End(const absl::Status& status) STELE_REQUIRES(mutex_);

  Streams& streams_;
  CallCounts& calls_;
  v1::ListEntriesResponse response_;  // the transport's while writing_

  Mutex mutex_;
  HeldReader reader_ STELE_GUARDED_BY(mutex_);
  uint64_t next_ STELE_GUARDED_BY(mutex_) = 0;
  uint64_t end_index_ STELE_GUARDED_BY(mutex_) = 0;
  absl::Status end_ STELE_GUARDED_BY(mutex_);
  bool first_ STELE_GUARDED_BY(mutex_) = true;  // the page with the checkpoint is still to come
  bool writing_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
  absl::StatusCode code_ STELE_GUARDED_BY(mutex_) = absl::StatusCode::kCancelled;
};

}  // namespace stele::server
