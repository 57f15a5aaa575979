#include "store/log/sequencer.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "core/base/limits.h"

namespace stele::store {

Sequencer::Sequencer(LogWriter& writer) : writer_(writer), thread_([this] { Run(); }) {}

Sequencer::~Sequencer() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    arrived_.NotifyOne();
  }
  thread_.join();
}

void Sequencer::Push(std::vector<Submission> submissions) {
  MutexLock lock(mutex_);
  queue_.insert(queue_.end(), std::make_move_iterator(submissions.begin()),
                std::make_move_iterator(submissions.end()));
  // A writer that is busy looks at the queue by itself.
  if (waiting_ && !queue_.empty()) arrived_.NotifyOne();
}

void Sequencer::ReportFailedWrite(const absl::Status& why) {
  MutexLock lock(mutex_);
  failure_ = why;
  arrived_.NotifyOne();
}

absl::Status Sequencer::TakeFailure() {
  MutexLock lock(mutex_);
  return std::exchange(failure_, absl::OkStatus());
}

void Sequencer::Run() {
  bool stop = false;
  while (!stop) {
    std::vector<Submission> batch = Next(stop);
    if (!batch.empty() && !writer_.Process(batch)) {
      TakeAll(batch);
      writer_.RefuseUnwritten(std::move(batch));
    }
    if (const absl::Status failure = TakeFailure(); !failure.ok()) {
      writer_.NoteFailedWrite(failure);
    }
    writer_.Reopen();
  }
}

std::vector<Submission> Sequencer::Next(bool& stop) {
  // How often a closed log is looked after when nobody publishes.
  constexpr std::chrono::milliseconds kLookAgain{50};
  MutexLock lock(mutex_);
  const auto deadline = std::chrono::steady_clock::now() + kLookAgain;
  waiting_ = true;
  while (queue_.empty() && !stopping_ && failure_.ok()) {
    if (!writer_.wants_reopen()) {
      arrived_.Wait(mutex_);
    } else if (!arrived_.WaitUntil(mutex_, deadline)) {
      break;
    }
  }
  waiting_ = false;
  stop = queue_.empty() && stopping_;
  return TakeBatch();
}

std::vector<Submission> Sequencer::TakeBatch() {
  std::vector<Submission> batch;
  size_t bytes = 0;
  while (!queue_.empty() && batch.size() < limits::kPlanStatements) {
    bytes += queue_.front().statement->bytes();
    if (!batch.empty() && bytes > limits::kCommitBytes) break;
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

void Sequencer::TakeAll(std::vector<Submission>& taken) {
  MutexLock lock(mutex_);
  std::move(queue_.begin(), queue_.end(), std::back_inserter(taken));
  queue_.clear();
}

}  // namespace stele::store
