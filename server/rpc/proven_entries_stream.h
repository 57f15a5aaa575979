// One GetProvenEntries stream: the entries asked for by pages, the next made when the one before is
// written. All are proven in the tree of the first page: what that tree holds never changes, so a
// later moment of the store gives the same proofs.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "server/metrics/call_counts.h"
#include "server/rpc/held_reader.h"
#include "server/rpc/streams.h"
#include "stele/v1/proofs.pb.h"
#include "store/store.h"

namespace stele::server {

// Deletes itself in OnDone.
class ProvenEntriesStream final : public grpc::ServerWriteReactor<v1::GetProvenEntriesResponse>,
                                  public Stream {
 public:
  ProvenEntriesStream(store::Store& store, Streams& streams, CallCounts& calls,
                      const v1::GetProvenEntriesRequest& request);

  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  // The page being written is the last.
  void Drain() override;

 private:
  absl::Status Begin(const v1::GetProvenEntriesRequest& request) STELE_REQUIRES(mutex_);
  absl::Status FillPage() STELE_REQUIRES(mutex_);
  void Advance() STELE_REQUIRES(mutex_);
  void End(const absl::Status& status) STELE_REQUIRES(mutex_);

  Streams& streams_;
  CallCounts& calls_;
  v1::GetProvenEntriesResponse response_;  // the transport's while writing_

  Mutex mutex_;
  HeldReader reader_ STELE_GUARDED_BY(mutex_);
  std::vector<uint64_t> indexes_ STELE_GUARDED_BY(mutex_);
  TreeSize size_ STELE_GUARDED_BY(mutex_);
  size_t next_ STELE_GUARDED_BY(mutex_) = 0;  // of indexes_
  absl::Status end_ STELE_GUARDED_BY(mutex_);
  bool first_ STELE_GUARDED_BY(mutex_) = true;  // the page with the tree is still to come
  bool writing_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
  absl::StatusCode code_ STELE_GUARDED_BY(mutex_) = absl::StatusCode::kCancelled;
};

}  // namespace stele::server
