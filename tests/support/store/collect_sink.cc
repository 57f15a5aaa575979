#include "tests/support/store/collect_sink.h"

#include <gtest/gtest.h>

#include <chrono>
#include <iterator>
#include <utility>

#include "core/base/status_macros.h"
#include "core/merkle/hash.h"
#include "core/tlog/checkpoint.h"

namespace stele::testing {

absl::Status VerifyReceipt(const store::Receipt& receipt, const std::string& checkpoint,
                           const NoteVerifier& verifier) {
  STELE_ASSIGN_OR_RETURN(const SignedCheckpoint opened, OpenCheckpoint(checkpoint, {verifier}));
  return VerifyInclusion(receipt.index, opened.checkpoint.size, LeafHash(receipt.leaf),
                         receipt.proof, opened.checkpoint.root);
}

void CollectSink::OnOutcomes(std::shared_ptr<const std::string> checkpoint,
                             std::vector<store::PublishOutcome> outcomes) {
  const bool alone = !inside_.exchange(true);
  ++calls_;
  {
    MutexLock lock(mutex_);
    if (!alone) fault_.Update(absl::InternalError("two calls to one sink at a time"));
    if (checkpoint == nullptr) fault_.Update(absl::InternalError("a null checkpoint"));
    CheckAnswers(*checkpoint, outcomes);
    outcomes_.insert(outcomes_.end(), std::make_move_iterator(outcomes.begin()),
                     std::make_move_iterator(outcomes.end()));
    came_.NotifyAll();
  }
  inside_ = false;
}

void CollectSink::CheckAnswers(const std::string& checkpoint,
                               const std::vector<store::PublishOutcome>& outcomes) {
  if (outcomes.empty()) fault_.Update(absl::InternalError("a call without outcomes"));
  if (checkpoint.empty()) {
    for (const store::PublishOutcome& outcome : outcomes) {
      if (outcome.result.ok()) fault_.Update(absl::InternalError("a receipt without checkpoint"));
    }
    return;
  }
  const auto opened = OpenCheckpoint(checkpoint, {verifier_});
  fault_.Update(opened.status());
  if (!opened.ok()) return;
  const Checkpoint& head = opened->checkpoint;
  if (head.size < head_) fault_.Update(absl::InternalError("the head went back"));
  head_ = head.size;
  for (const store::PublishOutcome& outcome : outcomes) {
    if (!outcome.result.ok()) continue;
    const store::Receipt& receipt = *outcome.result;
    fault_.Update(VerifyInclusion(receipt.index, head.size, LeafHash(receipt.leaf), receipt.proof,
                                  head.root));
  }
}

std::vector<store::PublishOutcome> CollectSink::Wait(size_t count) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  MutexLock lock(mutex_);
  while (outcomes_.size() < count) {
    if (came_.WaitUntil(mutex_, deadline)) continue;
    ADD_FAILURE() << "only " << outcomes_.size() << " of " << count << " outcomes came";
    break;
  }
  return outcomes_;
}

size_t CollectSink::count() const {
  MutexLock lock(mutex_);
  return outcomes_.size();
}

absl::Status CollectSink::fault() const {
  MutexLock lock(mutex_);
  return fault_;
}

}  // namespace stele::testing
