// The open streams of a server, all services together: bounded in number, and told when the server
// stops. Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "core/base/mutex.h"

namespace stele::server {

class Stream {
 public:
  virtual ~Stream() = default;
  // Takes no further request; answers what it took, then ends (UNAVAILABLE, STOPPING). Called with
  // the set's lock held: must not wait, and must not leave the set from within.
  virtual void Drain() = 0;
};

// What the open Publish streams hold.
struct PublishLoad {
  std::atomic<uint64_t> statements{0};
  std::atomic<uint64_t> bytes{0};
};

class Streams {
 public:
  explicit Streams(size_t limit) : limit_(limit) {}

  // RESOURCE_EXHAUSTED if there are too many, UNAVAILABLE once draining; else `stream` stays until
  // Leave.
  absl::Status Enter(Stream& stream);
  void Leave(Stream& stream);

  // Every stream is told to end, later ones are refused. Idempotent.
  void Drain();
  // True once no stream is left; false if that takes longer.
  bool WaitUntilEmpty(std::chrono::steady_clock::time_point deadline);
  size_t size() const;

  PublishLoad& load() { return load_; }
  const PublishLoad& load() const { return load_; }

 private:
  const size_t limit_;
  PublishLoad load_;
  mutable Mutex mutex_;
  CondVar emptied_;
  bool draining_ STELE_GUARDED_BY(mutex_) = false;
  absl::flat_hash_set<Stream*> streams_ STELE_GUARDED_BY(mutex_);
};

// Why a stream ends while the server stops.
absl::Status StoppingStatus();

}  // namespace stele::server
