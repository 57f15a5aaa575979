#include "server/rpc/entries_stream.h"

#include <algorithm>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/log_answers.h"
#include "server/rpc/status.h"

namespace stele::server {

EntriesStream::EntriesStream(store::Store& store, Streams& streams, CallCounts& calls,
                             const v1::ListEntriesRequest& request)
    : streams_(streams), calls_(calls), reader_(store) {
  absl::Status entered = streams_.Enter(*this);
  MutexLock lock(mutex_);
  if (entered.ok()) entered = Begin(request);
  if (entered.ok()) {
    Advance();
  } else {
    End(entered);
  }
}

absl::Status EntriesStream::Begin(const v1::ListEntriesRequest& request) {
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  const uint64_t size = reader->head().size.value();
  if (request.start() > size) {
    return Refuse(
        absl::StatusCode::kOutOfRange, reason::kWrongValue, "/start",
        Cat("the log has ", size, " entries, it cannot be listed from ", request.start()));
  }
  next_ = request.start();
  end_index_ = size;
  if (request.limit() != 0) end_index_ = next_ + std::min(request.limit(), size - next_);
  response_.set_checkpoint(reader->head().checkpoint);
  return absl::OkStatus();
}

absl::Status EntriesStream::FillPage() {
  STELE_ASSIGN_OR_RETURN(const store::Reader* reader, reader_.Get());
  if (!first_) response_.clear_checkpoint();
  first_ = false;
  STELE_RETURN_IF_ERROR(FillEntries(*reader, EntryIndex(next_), EntryIndex(end_index_), response_));
  if (response_.leaves_size() == 0 && next_ < end_index_) {
    return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                  Cat("entry ", next_, " is missing from the store"));
  }
  next_ += static_cast<uint64_t>(response_.leaves_size());
  return absl::OkStatus();
}

void EntriesStream::Advance() {
  if (finished_ || writing_) return;
  if (!end_.ok()) return End(end_);
  if (!first_ && next_ == end_index_) return End(absl::OkStatus());
  if (absl::Status filled = FillPage(); !filled.ok()) return End(filled);
  writing_ = true;
  StartWrite(&response_);
}

void EntriesStream::End(const absl::Status& status) {
  finished_ = true;
  code_ = status.code();
  Finish(ToGrpcStatus(status));
}

void EntriesStream::OnWriteDone(bool ok) {
  MutexLock lock(mutex_);
  writing_ = false;
  if (!ok) end_ = absl::CancelledError("the client is gone");
  Advance();
}

void EntriesStream::OnCancel() {
  MutexLock lock(mutex_);
  end_ = absl::CancelledError("the call was cancelled");
  Advance();
}

void EntriesStream::Drain() {
  MutexLock lock(mutex_);
  if (end_.ok() && (first_ || next_ < end_index_)) end_ = StoppingStatus();
  Advance();
}

void EntriesStream::OnDone() {
  streams_.Leave(*this);
  absl::StatusCode code;
  {
    MutexLock lock(mutex_);
    code = code_;
  }
  calls_.Count(Method::kListEntries, code);
  delete this;
}

}  // namespace stele::server
