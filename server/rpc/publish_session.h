// One Publish stream, free of gRPC: what to read, what to write, when to end.
//
// It stands between two sides that go away on their own: the transport (a gRPC reactor, until
// OnDone) and the store, which keeps the session as a sink until every statement is answered. Both
// may call at any time, from any thread.
//
// Memory: the window of stream_window.h. Reading stops while it is used up and goes on as answers
// are written. Order: statements reach the store in the order sent.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "server/rpc/publish_response.h"
#include "server/rpc/stream_window.h"
#include "server/rpc/streams.h"
#include "stele/v1/publish.pb.h"
#include "store/store.h"

namespace stele::server {

// What a session asks of its transport. Called with the session's lock held: starts the operation,
// never calls back before it returns. At most one read and one write are under way; after Finish
// nothing is started.
class PublishWire {
 public:
  virtual ~PublishWire() = default;
  virtual void StartRead(v1::PublishRequest* request) = 0;
  virtual void StartWrite(const v1::PublishResponse* response) = 0;
  virtual void Finish(const absl::Status& status) = 0;
};

class PublishSession final : public store::PublishSink,
                             public Stream,
                             public std::enable_shared_from_this<PublishSession> {
 public:
  // `store` and `load` outlive the transport, `wire` lives until OnDone. `address` is the caller's.
  PublishSession(store::Store& store, PublishLoad& load, PublishWire& wire, std::string address);

  void Start();
  // The transport's events: the read or write under way ended, the call was cancelled, the wire is
  // gone.
  void OnRead(bool ok);
  void OnWritten(bool ok);
  void OnCancelled();
  void OnDone();

  void OnOutcomes(std::shared_ptr<const std::string> checkpoint,
                  std::vector<store::PublishOutcome> outcomes) override;
  void Drain() override;

 private:
  bool Ended() const STELE_REQUIRES(mutex_) { return reads_done_ || !end_.ok(); }
  absl::Status Check() const STELE_REQUIRES(mutex_);
  std::vector<store::PublishItem> Take() STELE_REQUIRES(mutex_);
  void WriteFront() STELE_REQUIRES(mutex_);
  void Release(const PendingResponse& written) STELE_REQUIRES(mutex_);
  // Starts whatever may start now.
  void Advance() STELE_REQUIRES(mutex_);

  store::Store& store_;
  PublishLoad& load_;
  const std::string address_;
  v1::PublishRequest request_;  // the transport's while reading_

  Mutex mutex_;
  PublishWire* wire_ STELE_GUARDED_BY(mutex_);  // null after OnDone
  StreamWindow window_ STELE_GUARDED_BY(mutex_);
  std::deque<std::unique_ptr<PendingResponse>> answers_ STELE_GUARDED_BY(mutex_);
  absl::Status end_ STELE_GUARDED_BY(mutex_);  // why no request is taken any more
  bool reading_ STELE_GUARDED_BY(mutex_) = false;
  bool writing_ STELE_GUARDED_BY(mutex_) = false;     // the front of answers_
  bool reads_done_ STELE_GUARDED_BY(mutex_) = false;  // the client has said all it wants
  bool cancelled_ STELE_GUARDED_BY(mutex_) = false;
  bool finished_ STELE_GUARDED_BY(mutex_) = false;
};

}  // namespace stele::server
