// SIGTERM and SIGINT, taken by a thread of their own: the first asks to stop, a second ends the
// process at once with exit code 1.
#pragma once

#include <signal.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "core/base/mutex.h"

namespace stele::server {

class Signals {
 public:
  // Blocks both signals in the calling thread and in all that it starts later: construct it before
  // any other thread. SIGPIPE is ignored. `on_second` is told before the process ends.
  explicit Signals(std::function<void()> on_second);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Returns after the first signal: its name.
  std::string Wait();

 private:
  void Run();

  const std::function<void()> on_second_;
  sigset_t set_;
  std::atomic<bool> stop_{false};
  Mutex mutex_;
  CondVar arrived_;
  int first_ STELE_GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

}  // namespace stele::server
