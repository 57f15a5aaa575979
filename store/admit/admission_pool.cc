#include "store/admit/admission_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "store/admit/admission.h"

namespace stele::store {
namespace {

// At once for one thread: enough to make locks and calls cheap, few enough to share a request out.
constexpr size_t kChunkItems = 16;
constexpr size_t kChunkBytes = 512 * 1024;

}  // namespace

AdmissionPool::AdmissionPool(int threads, const Published& published, GuestQuota& guests,
                             Clock clock, ArtifactStage& stage, Sequencer& sequencer,
                             Answers& answers)
    : thread_count_(static_cast<size_t>(std::max(threads, 1))),
      published_(published),
      guests_(guests),
      clock_(std::move(clock)),
      stage_(stage),
      sequencer_(sequencer),
      answers_(answers) {
  threads_.reserve(thread_count_);
  for (size_t i = 0; i < thread_count_; ++i) threads_.emplace_back([this] { Run(); });
}

AdmissionPool::~AdmissionPool() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    arrived_.NotifyAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

void AdmissionPool::Push(std::vector<Arrival> arrivals) {
  MutexLock lock(mutex_);
  queue_.insert(queue_.end(), std::make_move_iterator(arrivals.begin()),
                std::make_move_iterator(arrivals.end()));
  for (size_t i = std::min(waiting_, queue_.size()); i > 0; --i) arrived_.NotifyOne();
}

void AdmissionPool::Run() {
  for (;;) {
    std::vector<Arrival> arrivals = Take();
    if (arrivals.empty()) return;
    Work(std::move(arrivals));
  }
}

std::vector<Arrival> AdmissionPool::Take() {
  MutexLock lock(mutex_);
  while (queue_.empty() && !stopping_) {
    ++waiting_;
    arrived_.Wait(mutex_);
    --waiting_;
  }
  const size_t share = (queue_.size() + thread_count_ - 1) / thread_count_;
  const size_t items = std::min(share, kChunkItems);
  std::vector<Arrival> taken;
  taken.reserve(items);
  for (size_t bytes = 0; taken.size() < items && bytes < kChunkBytes;) {
    bytes += queue_.front().held_bytes;
    taken.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return taken;
}

void AdmissionPool::Work(std::vector<Arrival> arrivals) {
  const absl::StatusOr<std::shared_ptr<const SnapshotReader>> reader = published_.Get();
  std::vector<Submission> submissions;
  std::vector<Answer> answers;
  for (Arrival& arrival : arrivals) {
    const uint64_t tag = arrival.item.tag;
    if (!arrival.refused.ok()) {
      answers.push_back({std::move(arrival.sink), {tag, std::move(arrival.refused)}, {}});
      continue;
    }
    Admitted admitted = reader.ok() ? Admit(arrival.item, **reader, guests_, clock_, stage_)
                                    : Admitted(reader.status());
    if (auto* statement = std::get_if<std::unique_ptr<AdmittedStatement>>(&admitted)) {
      submissions.push_back(
          {tag, std::move(*statement), std::move(arrival.sink), arrival.held_bytes});
      continue;
    }
    absl::StatusOr<Receipt> result;
    if (auto* receipt = std::get_if<Receipt>(&admitted)) {
      result = std::move(*receipt);
    } else {
      result = std::get<absl::Status>(std::move(admitted));
    }
    answers.push_back({std::move(arrival.sink), {tag, std::move(result)}, arrival.held_bytes});
  }
  if (!submissions.empty()) sequencer_.Push(std::move(submissions));
  answers_.Deliver(std::move(answers));
}

}  // namespace stele::store
