#include "store/log/budget.h"

namespace stele::store {

Budget::Taken Budget::Take(size_t bytes) {
  MutexLock lock(mutex_);
  if (closed_) return Taken::kClosed;
  const bool first = held_.statements == 0;
  if (!first && (held_.statements >= max_statements_ || held_.bytes + bytes > max_bytes_)) {
    return Taken::kFull;
  }
  ++held_.statements;
  ++unanswered_;
  held_.bytes += bytes;
  return Taken::kYes;
}

void Budget::Close() {
  MutexLock lock(mutex_);
  closed_ = true;
}

bool Budget::closed() const {
  MutexLock lock(mutex_);
  return closed_;
}

void Budget::Release(size_t statements, size_t bytes) {
  MutexLock lock(mutex_);
  held_.statements -= statements;
  held_.bytes -= bytes;
}

void Budget::Answered(size_t statements) {
  MutexLock lock(mutex_);
  unanswered_ -= statements;
  if (unanswered_ == 0) idle_.NotifyAll();
}

bool Budget::WaitUntilIdle(std::chrono::steady_clock::time_point deadline) {
  MutexLock lock(mutex_);
  while (unanswered_ > 0) {
    if (!idle_.WaitUntil(mutex_, deadline)) return unanswered_ == 0;
  }
  return true;
}

size_t Budget::unanswered() const {
  MutexLock lock(mutex_);
  return unanswered_;
}

Budget::Held Budget::held() const {
  MutexLock lock(mutex_);
  return held_;
}

}  // namespace stele::store
