// The queue before the writer, and the writer's thread: group commit. Each commit takes what waits,
// up to limits::kPlanStatements and kCommitBytes; while it is being synchronised the next batch
// gathers.
//
// The queue is bounded by the budget that every submission holds (budget.h).
#pragma once

#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "store/log/log_writer.h"

namespace stele::store {

class Sequencer {
 public:
  // `writer` has been started; it is used by this thread alone from now on.
  explicit Sequencer(LogWriter& writer);
  // Commits and answers what is queued, then ends.
  ~Sequencer();

  // Any thread. Every submission gets its outcome from the writer's thread.
  void Push(std::vector<Submission> submissions) STELE_EXCLUDES(mutex_);
  // Any thread. A write beside the queue failed: the writer hears of it from its own thread.
  void ReportFailedWrite(const absl::Status& why) STELE_EXCLUDES(mutex_);

 private:
  void Run();
  absl::Status TakeFailure() STELE_EXCLUDES(mutex_);
  // Empty: time to look after a closed log, or to stop (`stop` is set).
  std::vector<Submission> Next(bool& stop) STELE_EXCLUDES(mutex_);
  std::vector<Submission> TakeBatch() STELE_REQUIRES(mutex_);
  void TakeAll(std::vector<Submission>& taken) STELE_EXCLUDES(mutex_);

  LogWriter& writer_;
  Mutex mutex_;
  CondVar arrived_;
  std::deque<Submission> queue_ STELE_GUARDED_BY(mutex_);
  absl::Status failure_ STELE_GUARDED_BY(mutex_);  // reported and not yet told
  bool waiting_ STELE_GUARDED_BY(mutex_) = false;
  bool stopping_ STELE_GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: everything it uses is there before it starts
};

}  // namespace stele::store
