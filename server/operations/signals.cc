#include "server/operations/signals.h"

#include <pthread.h>
#include <unistd.h>

#include <utility>

namespace stele::server {

Signals::Signals(std::function<void()> on_second) : on_second_(std::move(on_second)) {
  signal(SIGPIPE, SIG_IGN);
  sigemptyset(&set_);
  sigaddset(&set_, SIGTERM);
  sigaddset(&set_, SIGINT);
  sigaddset(&set_, SIGUSR2);  // ours, to wake the thread
  pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  thread_ = std::thread([this] { Run(); });
}

Signals::~Signals() {
  stop_ = true;
  pthread_kill(thread_.native_handle(), SIGUSR2);
  thread_.join();
}

std::string Signals::Wait() {
  MutexLock lock(mutex_);
  while (first_ == 0) arrived_.Wait(mutex_);
  return first_ == SIGINT ? "SIGINT" : "SIGTERM";
}

void Signals::Run() {
  bool asked = false;
  while (!stop_) {
    int signal = 0;
    if (sigwait(&set_, &signal) != 0 || signal == SIGUSR2) continue;
    if (asked) {
      on_second_();
      _exit(1);
    }
    asked = true;
    MutexLock lock(mutex_);
    first_ = signal;
    arrived_.NotifyAll();
  }
}

}  // namespace stele::server
