// The threads of admission: a fixed number, one queue. Each takes a few items at a time, whoever
// sent them, so that one large request keeps every core busy; what it admits goes to the sequencer
// in one piece, and what it answers to each sink in one call.
#pragma once

#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "store/artifact/artifact_stage.h"
#include "store/log/answers.h"
#include "store/log/clock.h"
#include "store/log/guest_quota.h"
#include "store/log/published.h"
#include "store/log/sequencer.h"

namespace stele::store {

// An item on its way in.
struct Arrival {
  PublishItem item;
  std::shared_ptr<PublishSink> sink;
  size_t held_bytes = 0;  // of the budget, if not refused
  // Not OK: refused already (QUEUE_FULL, STOPPING), the item empty but for its tag, nothing held;
  // only the answer is to be given, from a thread of the store.
  absl::Status refused;
};

class AdmissionPool {
 public:
  // Borrows all but the clock.
  AdmissionPool(int threads, const Published& published, GuestQuota& guests, Clock clock,
                ArtifactStage& stage, Sequencer& sequencer, Answers& answers);
  // Works off what is queued, then ends.
  ~AdmissionPool();

  // Any thread; never blocks for long. Bounded by the budget that arrivals hold.
  void Push(std::vector<Arrival> arrivals) STELE_EXCLUDES(mutex_);

 private:
  void Run();
  std::vector<Arrival> Take() STELE_EXCLUDES(mutex_);
  void Work(std::vector<Arrival> arrivals);

  const size_t thread_count_;
  const Published& published_;
  GuestQuota& guests_;
  const Clock clock_;
  ArtifactStage& stage_;
  Sequencer& sequencer_;
  Answers& answers_;
  Mutex mutex_;
  CondVar arrived_;
  std::deque<Arrival> queue_ STELE_GUARDED_BY(mutex_);
  size_t waiting_ STELE_GUARDED_BY(mutex_) = 0;
  bool stopping_ STELE_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace stele::store
