#include "server/rpc/streams.h"

#include "core/base/refusal.h"
#include "server/base/cat.h"
#include "server/rpc/status.h"

namespace stele::server {

absl::Status Streams::Enter(Stream& stream) {
  MutexLock lock(mutex_);
  if (draining_) return StoppingStatus();
  if (streams_.size() >= limit_) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, kTooManyStreams, "streams", limit_,
                       Cat("the server has ", limit_, " streams open, its limit; try again later"));
  }
  streams_.insert(&stream);
  return absl::OkStatus();
}

void Streams::Leave(Stream& stream) {
  MutexLock lock(mutex_);
  streams_.erase(&stream);
  if (streams_.empty()) emptied_.NotifyAll();
}

void Streams::Drain() {
  MutexLock lock(mutex_);
  draining_ = true;
  for (Stream* stream : streams_) stream->Drain();
}

bool Streams::WaitUntilEmpty(std::chrono::steady_clock::time_point deadline) {
  MutexLock lock(mutex_);
  while (!streams_.empty()) {
    if (!emptied_.WaitUntil(mutex_, deadline)) return streams_.empty();
  }
  return true;
}

size_t Streams::size() const {
  MutexLock lock(mutex_);
  return streams_.size();
}

absl::Status StoppingStatus() {
  return Refuse(absl::StatusCode::kUnavailable, reason::kStopping, "",
                "the server is stopping; connect again and send what was not answered");
}

}  // namespace stele::server
