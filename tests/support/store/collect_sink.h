// A sink that keeps what it is told, and verifies it: every receipt against the checkpoint that
// came with it, calls one at a time.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "core/base/strong_int.h"
#include "core/tlog/note.h"
#include "store/log/publish.h"

namespace stele::testing {

// OK if the receipt's leaf is in the tree of the checkpoint, and the checkpoint signed.
absl::Status VerifyReceipt(const store::Receipt& receipt, const std::string& checkpoint,
                           const NoteVerifier& verifier);

class CollectSink final : public store::PublishSink {
 public:
  explicit CollectSink(NoteVerifier verifier) : verifier_(std::move(verifier)) {}

  void OnOutcomes(std::shared_ptr<const std::string> checkpoint,
                  std::vector<store::PublishOutcome> outcomes) override;

  // The first `count` outcomes, in the order of their coming; fails the test after a minute.
  std::vector<store::PublishOutcome> Wait(size_t count) STELE_EXCLUDES(mutex_);
  size_t count() const STELE_EXCLUDES(mutex_);
  size_t calls() const { return calls_; }
  // The first thing that was wrong about any answer: a proof, two calls at once, a head that went
  // back.
  absl::Status fault() const STELE_EXCLUDES(mutex_);

 private:
  void CheckAnswers(const std::string& checkpoint,
                    const std::vector<store::PublishOutcome>& outcomes) STELE_REQUIRES(mutex_);

  const NoteVerifier verifier_;
  std::atomic<bool> inside_{false};
  std::atomic<size_t> calls_{0};
  mutable Mutex mutex_;
  CondVar came_;
  std::vector<store::PublishOutcome> outcomes_ STELE_GUARDED_BY(mutex_);
  TreeSize head_ STELE_GUARDED_BY(mutex_);
  absl::Status fault_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::testing
