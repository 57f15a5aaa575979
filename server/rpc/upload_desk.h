// The threads that uploads wait on the disk in, so that gRPC's own never do, and an eye on those
// that stand still. Any thread.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "core/base/mutex.h"

namespace stele::server {

class UploadDesk {
 public:
  // Somebody who may stand still. Called from a thread of the desk, with its lock held: must not
  // call the desk.
  class Guest {
   public:
    virtual ~Guest() = default;
    virtual void LookAtClock(std::chrono::steady_clock::time_point now) = 0;
  };

  // A guest stands still for at most `idle`.
  UploadDesk(int threads, std::chrono::milliseconds idle);
  // What was posted is done first.
  ~UploadDesk();

  std::chrono::milliseconds idle() const { return idle_; }
  void Enter(Guest& guest) STELE_EXCLUDES(mutex_);
  void Leave(Guest& guest) STELE_EXCLUDES(mutex_);
  // One task for each guest at a time: so the queue is bounded.
  void Post(std::function<void()> task) STELE_EXCLUDES(mutex_);

 private:
  void Run() STELE_EXCLUDES(mutex_);
  void LookAround() STELE_REQUIRES(mutex_);

  const std::chrono::milliseconds idle_, look_every_;
  Mutex mutex_;
  CondVar arrived_;
  std::deque<std::function<void()>> tasks_ STELE_GUARDED_BY(mutex_);
  absl::flat_hash_set<Guest*> guests_ STELE_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point next_look_ STELE_GUARDED_BY(mutex_);
  bool stopping_ STELE_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace stele::server
