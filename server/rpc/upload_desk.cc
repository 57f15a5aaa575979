#include "server/rpc/upload_desk.h"

#include <algorithm>
#include <utility>

namespace stele::server {
namespace {

constexpr std::chrono::milliseconds kLookAtLeastEvery{500};

}  // namespace

UploadDesk::UploadDesk(int threads, std::chrono::milliseconds idle)
    : idle_(idle),
      look_every_(std::clamp(idle / 4, std::chrono::milliseconds(1), kLookAtLeastEvery)) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Run(); });
}

UploadDesk::~UploadDesk() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    arrived_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

void UploadDesk::Enter(Guest& guest) {
  MutexLock lock(mutex_);
  guests_.insert(&guest);
  arrived_.NotifyOne();  // from now on there is a clock to look at
}

void UploadDesk::Leave(Guest& guest) {
  MutexLock lock(mutex_);
  guests_.erase(&guest);
}

void UploadDesk::Post(std::function<void()> task) {
  MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  arrived_.NotifyOne();
}

void UploadDesk::LookAround() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return;
  next_look_ = now + look_every_;
  for (Guest* guest : guests_) guest->LookAtClock(now);
}

void UploadDesk::Run() {
  for (;;) {
    std::function<void()> task;
    {
      MutexLock lock(mutex_);
      while (tasks_.empty() && !stopping_) {
        if (guests_.empty()) {
          arrived_.Wait(mutex_);
        } else {
          arrived_.WaitUntil(mutex_, std::chrono::steady_clock::now() + look_every_);
        }
        LookAround();
      }
      if (tasks_.empty()) return;
      LookAround();
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace stele::server
