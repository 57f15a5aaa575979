#include "server/rpc/head_stream.h"

#include <utility>

#include "server/rpc/proof_answers.h"
#include "server/rpc/status.h"

namespace stele::server {

HeadStream::HeadStream(store::Store& store, Streams& streams, HeadWatch& watch, CallCounts& calls,
                       const v1::WatchHeadRequest& request)
    : store_(store), streams_(streams), watch_(watch), calls_(calls), known_(request.known_size()) {
  const absl::Status entered = streams_.Enter(*this);
  if (entered.ok()) watch_.Enter(*this);  // before the first look: no head falls between
  MutexLock lock(mutex_);
  if (!entered.ok()) end_ = entered;
  Advance();
}

absl::Status HeadStream::FillNext(bool& newer) {
  absl::StatusOr<std::shared_ptr<const store::Reader>> reader = store_.GetReader();
  // Nothing can be read for a moment while the store is reopened; it says when it is back.
  newer = reader.ok() && (*reader)->head().size > known_;
  return newer ? FillHead(**reader, known_, response_) : absl::OkStatus();
}

void HeadStream::Advance() {
  if (finished_ || writing_) return;
  if (!end_.ok()) return End(end_);
  bool newer = false;
  if (absl::Status filled = FillNext(newer); !filled.ok()) return End(filled);
  if (!newer) return;
  known_ = TreeSize(response_.tree_size());
  writing_ = true;
  StartWrite(&response_);
}

void HeadStream::End(const absl::Status& status) {
  finished_ = true;
  code_ = status.code();
  Finish(ToGrpcStatus(status));
}

void HeadStream::OnHeadMoved() {
  MutexLock lock(mutex_);
  Advance();
}

void HeadStream::OnWriteDone(bool ok) {
  MutexLock lock(mutex_);
  writing_ = false;
  if (!ok) end_ = absl::CancelledError("the client is gone");
  Advance();
}

void HeadStream::OnCancel() {
  MutexLock lock(mutex_);
  end_ = absl::CancelledError("the call was cancelled");
  Advance();
}

void HeadStream::Drain() {
  MutexLock lock(mutex_);
  if (end_.ok()) end_ = StoppingStatus();
  Advance();
}

void HeadStream::OnDone() {
  watch_.Leave(*this);
  streams_.Leave(*this);
  absl::StatusCode code;
  {
    MutexLock lock(mutex_);
    code = code_;
  }
  calls_.Count(Method::kWatchHead, code);
  delete this;
}

}  // namespace stele::server
