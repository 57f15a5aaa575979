#include "client/publish_queue.h"

#include <algorithm>
#include <utility>

namespace stele::client {

bool PublishQueue::Full(size_t bytes) const {
  if (pending_ == 0) return false;
  return pending_ >= options_.window_statements || pending_bytes_ + bytes > options_.window_bytes;
}

// A window that was full opens again when a quarter of it is free: then many statements go out in
// one request, and the caller is woken once for them.
bool PublishQueue::Roomy() const {
  return pending_ == 0 || (pending_ <= options_.window_statements * 3 / 4 &&
                           pending_bytes_ <= options_.window_bytes / 4 * 3);
}

bool PublishQueue::WaitForDecision() {
  const Clock::time_point deadline = last_decision_ + timeout_;
  if (Clock::now() >= deadline) return false;
  room_.WaitUntil(mutex_, deadline);
  return true;
}

absl::Status PublishQueue::Add(PendingPtr pending) {
  MutexLock lock(mutex_);
  for (bool full = Full(pending->bytes); !closed_ && full;
       full = !Roomy() || Full(pending->bytes)) {
    if (!WaitForDecision()) return absl::DeadlineExceededError("");
  }
  if (closed_) return closed_why_;
  if (pending_ == 0) last_decision_ = Clock::now();
  ++pending_;
  pending_bytes_ += pending->bytes;
  pending->sequence = next_sequence_++;
  waiting_.push_back(std::move(pending));
  changed_.NotifyAll();
  return absl::OkStatus();
}

absl::Status PublishQueue::WaitUntilEmpty() {
  MutexLock lock(mutex_);
  while (pending_ > 0) {
    if (closed_) {
      room_.Wait(mutex_);
    } else if (!WaitForDecision()) {
      return absl::DeadlineExceededError("");
    }
  }
  return closed_ ? closed_why_ : absl::OkStatus();
}

void PublishQueue::Requeue(PendingPtr pending) {
  const auto place = std::upper_bound(
      waiting_.begin(), waiting_.end(), pending->sequence,
      [](uint64_t sequence, const PendingPtr& p) { return sequence < p->sequence; });
  waiting_.insert(place, std::move(pending));
}

void PublishQueue::WakeDelayed() {
  const Clock::time_point now = Clock::now();
  std::vector<Delayed> still;
  for (Delayed& delayed : delayed_) {
    if (delayed.ready > now) {
      still.push_back(std::move(delayed));
    } else {
      Requeue(std::move(delayed.pending));
    }
  }
  delayed_ = std::move(still);
}

bool PublishQueue::WaitForWork(Clock::time_point earliest) {
  MutexLock lock(mutex_);
  for (;;) {
    if (closed_) return false;
    WakeDelayed();
    const bool early = Clock::now() < earliest;
    if (!early && !waiting_.empty()) return true;
    Clock::time_point until = Clock::now() + timeout_;
    if (early) until = std::min(until, earliest);
    for (const Delayed& delayed : delayed_) until = std::min(until, delayed.ready);
    changed_.WaitUntil(mutex_, until);
  }
}

void PublishQueue::StreamOpened() {
  MutexLock lock(mutex_);
  stream_open_ = true;
  decided_at_open_ = decided_;
}

std::vector<PendingPtr> PublishQueue::TakeBatch() {
  MutexLock lock(mutex_);
  for (;;) {
    if (closed_ || !stream_open_) return {};
    WakeDelayed();
    if (!waiting_.empty()) break;
    Clock::time_point until = Clock::now() + timeout_;
    for (const Delayed& delayed : delayed_) until = std::min(until, delayed.ready);
    changed_.WaitUntil(mutex_, until);
  }
  std::vector<PendingPtr> batch;
  size_t bytes = 0;
  while (!waiting_.empty() && batch.size() < options_.request_statements) {
    bytes += waiting_.front()->bytes;
    if (!batch.empty() && bytes > options_.request_bytes) break;
    PendingPtr pending = std::move(waiting_.front());
    waiting_.pop_front();
    ++pending->sends;
    sent_[pending->tag] = pending;
    batch.push_back(std::move(pending));
  }
  return batch;
}

PublishQueue::Loss PublishQueue::StreamLost(absl::Status why) {
  MutexLock lock(mutex_);
  stream_open_ = false;
  const Loss loss{sent_.size(), decided_ > decided_at_open_};
  for (auto& [tag, pending] : sent_) Requeue(std::move(pending));
  sent_.clear();
  last_trouble_ = std::move(why);
  return loss;
}

void PublishQueue::StreamEnded() {
  MutexLock lock(mutex_);
  stream_open_ = false;
  changed_.NotifyAll();
}

PendingPtr PublishQueue::Extract(uint64_t tag) {
  MutexLock lock(mutex_);
  auto found = sent_.find(tag);
  if (found == sent_.end()) return nullptr;
  PendingPtr pending = std::move(found->second);
  sent_.erase(found);
  return pending;
}

bool PublishQueue::Delay(const PendingPtr& pending, std::chrono::milliseconds delay,
                         const absl::Status& why) {
  MutexLock lock(mutex_);
  if (closed_) return false;
  last_trouble_ = why;
  delayed_.push_back({Clock::now() + delay, pending});
  changed_.NotifyAll();
  return true;
}

void PublishQueue::Release(const PendingStatement& pending) {
  MutexLock lock(mutex_);
  --pending_;
  pending_bytes_ -= pending.bytes;
  ++decided_;
  last_decision_ = Clock::now();
  if (Roomy()) room_.NotifyAll();
}

void PublishQueue::Fail(const absl::Status& why) {
  MutexLock lock(mutex_);
  if (!closed_) closed_why_ = why;
  closed_ = true;
  changed_.NotifyAll();
  room_.NotifyAll();
}

std::vector<PendingPtr> PublishQueue::Close(absl::Status why) {
  MutexLock lock(mutex_);
  if (!closed_) closed_why_ = std::move(why);
  closed_ = true;
  for (auto& [tag, pending] : sent_) Requeue(std::move(pending));
  for (Delayed& delayed : delayed_) Requeue(std::move(delayed.pending));
  std::vector<PendingPtr> left(std::make_move_iterator(waiting_.begin()),
                               std::make_move_iterator(waiting_.end()));
  sent_.clear();
  delayed_.clear();
  waiting_.clear();
  changed_.NotifyAll();
  room_.NotifyAll();
  return left;
}

bool PublishQueue::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

absl::Status PublishQueue::last_trouble() const {
  MutexLock lock(mutex_);
  return last_trouble_;
}

}  // namespace stele::client
