// How many statements, and how many bytes of them, the store holds unanswered: one bound for
// admission, the writer's queue and the batch being written. Any thread.
#pragma once

#include <chrono>
#include <cstddef>

#include "core/base/mutex.h"

namespace stele::store {

class Budget {
 public:
  Budget(size_t statements, size_t bytes) : max_statements_(statements), max_bytes_(bytes) {}

  enum class Taken { kYes, kFull, kClosed };
  // Takes one statement of so many bytes, unless that would pass a bound. The first one always
  // fits: whether it is too large is for admission to say.
  Taken Take(size_t bytes) STELE_EXCLUDES(mutex_);
  // Room for others, before the answers are given: who has an answer finds room.
  void Release(size_t statements, size_t bytes) STELE_EXCLUDES(mutex_);
  // The answers have been given.
  void Answered(size_t statements) STELE_EXCLUDES(mutex_);

  // From now on nothing is taken.
  void Close() STELE_EXCLUDES(mutex_);
  bool closed() const STELE_EXCLUDES(mutex_);
  // True once everything taken is answered; false if the deadline passes before.
  bool WaitUntilIdle(std::chrono::steady_clock::time_point deadline) STELE_EXCLUDES(mutex_);

  struct Held {
    size_t statements = 0;
    size_t bytes = 0;
  };
  Held held() const STELE_EXCLUDES(mutex_);
  size_t unanswered() const STELE_EXCLUDES(mutex_);

 private:
  const size_t max_statements_;
  const size_t max_bytes_;
  mutable Mutex mutex_;
  CondVar idle_;
  Held held_ STELE_GUARDED_BY(mutex_);
  size_t unanswered_ STELE_GUARDED_BY(mutex_) = 0;
  bool closed_ STELE_GUARDED_BY(mutex_) = false;
};

}  // namespace stele::store
