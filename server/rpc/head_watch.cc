#include "server/rpc/head_watch.h"

#include <chrono>

namespace stele::server {
namespace {

// How long the thread waits at most before it looks whether it should end.
constexpr auto kLook = std::chrono::milliseconds(100);

}  // namespace

HeadWatch::HeadWatch(const store::Store& store) : store_(store), thread_([this] { Follow(); }) {}

HeadWatch::~HeadWatch() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void HeadWatch::Enter(HeadWatcher& watcher) {
  MutexLock lock(mutex_);
  watchers_.insert(&watcher);
  changed_.NotifyAll();
}

void HeadWatch::Leave(HeadWatcher& watcher) {
  MutexLock lock(mutex_);
  watchers_.erase(&watcher);
}

void HeadWatch::Follow() {
  TreeSize known;
  for (;;) {
    {
      MutexLock lock(mutex_);
      while (watchers_.empty() && !stopping_) changed_.Wait(mutex_);
      if (stopping_) return;
    }
    if (!store_.WaitForHead(known, std::chrono::steady_clock::now() + kLook)) continue;
    const auto reader = store_.GetReader();
    if (!reader.ok()) continue;  // being reopened: the next wait is for what comes then
    known = (*reader)->head().size;
    MutexLock lock(mutex_);
    for (HeadWatcher* watcher : watchers_) watcher->OnHeadMoved();
  }
}

}  // namespace stele::server
