// Cancels a streamed call on which nothing moves: a deadline for the whole would be wrong for bytes
// of any number. Internal to this folder.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <thread>

#include "core/base/mutex.h"

namespace stele::client {

class StallGuard {
 public:
  // `context` outlives it.
  StallGuard(grpc::ClientContext& context, std::chrono::milliseconds timeout)
      : context_(context), timeout_(timeout), thread_([this] { Run(); }) {}
  ~StallGuard() {
    {
      MutexLock lock(mutex_);
      ended_ = true;
      wake_.NotifyAll();
    }
    thread_.join();
  }
  StallGuard(const StallGuard&) = delete;
  StallGuard& operator=(const StallGuard&) = delete;

  // Something moved.
  void Touch() STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    touched_ = Clock::now();
  }
  bool stalled() const STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return stalled_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void Run() STELE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (!ended_ && Clock::now() < touched_ + timeout_) {
      wake_.WaitUntil(mutex_, touched_ + timeout_);
    }
    if (ended_) return;
    stalled_ = true;
    context_.TryCancel();
  }

  grpc::ClientContext& context_;
  const std::chrono::milliseconds timeout_;
  mutable Mutex mutex_;
  CondVar wake_;
  Clock::time_point touched_ STELE_GUARDED_BY(mutex_) = Clock::now();
  bool ended_ STELE_GUARDED_BY(mutex_) = false;
  bool stalled_ STELE_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: what it uses is there before it starts
};

}  // namespace stele::client
