// Wakes those who wait for a new signed head: one thread that follows the store, whatever the
// number of streams. The writer does not wait for any of it.
#pragma once

#include <thread>

#include "absl/container/flat_hash_set.h"
#include "core/base/mutex.h"
#include "store/store.h"

namespace stele::server {

// Told that the head moved; looks itself what it is now. Called with the watch's lock held: must
// not wait, and must not leave the watch from within.
class HeadWatcher {
 public:
  virtual ~HeadWatcher() = default;
  virtual void OnHeadMoved() = 0;
};

// Any thread.
class HeadWatch {
 public:
  explicit HeadWatch(const store::Store& store);  // outlives it
  ~HeadWatch();                                   // nobody watches any more

  void Enter(HeadWatcher& watcher) STELE_EXCLUDES(mutex_);
  // Not told anything after this returns. Harmless if it is not there.
  void Leave(HeadWatcher& watcher) STELE_EXCLUDES(mutex_);

 private:
  void Follow() STELE_EXCLUDES(mutex_);

  const store::Store& store_;
  Mutex mutex_;
  CondVar changed_;  // the first watcher came, or the end
  bool stopping_ STELE_GUARDED_BY(mutex_) = false;
  absl::flat_hash_set<HeadWatcher*> watchers_ STELE_GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace stele::server
