// The statements of a publisher that are not decided yet. Internal to this folder.
//
// Three places: waiting (to be written), sent (written, unanswered), delayed (answered "later").
// The window counts all of them. Thread-safe.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "client/publisher.h"
#include "core/base/mutex.h"
#include "stele/v1/publish.pb.h"

namespace stele::client {

struct PendingStatement {
  uint64_t tag = 0;
  uint64_t sequence = 0;  // order of Add
  KeyId key;
  std::optional<PublicKey> public_key;
  std::unique_ptr<v1::StatementItem> item;
  size_t bytes = 0;
  int sends = 0;
};
using PendingPtr = std::shared_ptr<PendingStatement>;

class PublishQueue {
 public:
  using Clock = std::chrono::steady_clock;

  PublishQueue(const PublisherOptions& options, std::chrono::milliseconds timeout)
      : options_(options), timeout_(timeout) {}

  // --- The caller's side. DEADLINE_EXCEEDED if nothing was decided for the timeout while something
  // is pending (nothing is changed by that); the reason if the queue was closed.
  absl::Status Add(PendingPtr pending) STELE_EXCLUDES(mutex_);
  // Also after the queue was closed: whoever closes it decides what is left.
  absl::Status WaitUntilEmpty() STELE_EXCLUDES(mutex_);

  // --- The writer's side.
  // Waits until something may be written, not before `earliest`; false once the queue is closed.
  bool WaitForWork(Clock::time_point earliest) STELE_EXCLUDES(mutex_);
  void StreamOpened() STELE_EXCLUDES(mutex_);
  // The next request's statements, at least one; empty once the stream ended or the queue is
  // closed.
  std::vector<PendingPtr> TakeBatch() STELE_EXCLUDES(mutex_);
  struct Loss {
    size_t unanswered = 0;    // statements that had been sent and were not answered
    bool progressed = false;  // something was decided since StreamOpened
  };
  // What was sent waits again, in its order.
  Loss StreamLost(absl::Status why) STELE_EXCLUDES(mutex_);

  // --- The reader's side.
  void StreamEnded() STELE_EXCLUDES(mutex_);
  // Takes the statement out of the sent ones; null if it is not among them.
  PendingPtr Extract(uint64_t tag) STELE_EXCLUDES(mutex_);
  // Lets it wait. False if the queue is closed: then the caller decides it.
  bool Delay(const PendingPtr& pending, std::chrono::milliseconds delay, const absl::Status& why)
      STELE_EXCLUDES(mutex_);
  // The statement is decided: frees its place in the window.
  void Release(const PendingStatement& pending) STELE_EXCLUDES(mutex_);

  // An answer did not verify: nothing more is taken or sent, the reason as for Close, which
  // follows.
  void Fail(const absl::Status& why) STELE_EXCLUDES(mutex_);

  // Closes the queue for good with the reason (the first one counts) and gives everything in it.
  std::vector<PendingPtr> Close(absl::Status why) STELE_EXCLUDES(mutex_);
  bool closed() const STELE_EXCLUDES(mutex_);
  // Why nothing was decided lately: the last loss of a stream, or the last "later".
  absl::Status last_trouble() const STELE_EXCLUDES(mutex_);

 private:
  bool Full(size_t bytes) const STELE_REQUIRES(mutex_);
  bool Roomy() const STELE_REQUIRES(mutex_);
  void WakeDelayed() STELE_REQUIRES(mutex_);
  void Requeue(PendingPtr pending) STELE_REQUIRES(mutex_);
  // Waits for a change, or for `until`; false if the timeout passed without a decision.
  bool WaitForDecision() STELE_REQUIRES(mutex_);

  struct Delayed {
    Clock::time_point ready;
    PendingPtr pending;
  };

  const PublisherOptions options_;
  const std::chrono::milliseconds timeout_;
  mutable Mutex mutex_;
  CondVar changed_;                                          // for the writer's side
  CondVar room_;                                             // for the caller's side
  std::deque<PendingPtr> waiting_ STELE_GUARDED_BY(mutex_);  // by sequence
  absl::flat_hash_map<uint64_t, PendingPtr> sent_ STELE_GUARDED_BY(mutex_);
  std::vector<Delayed> delayed_ STELE_GUARDED_BY(mutex_);
  size_t pending_ STELE_GUARDED_BY(mutex_) = 0;  // taken and not released
  size_t pending_bytes_ STELE_GUARDED_BY(mutex_) = 0;
  uint64_t next_sequence_ STELE_GUARDED_BY(mutex_) = 0;
  uint64_t decided_ STELE_GUARDED_BY(mutex_) = 0;
  uint64_t decided_at_open_ STELE_GUARDED_BY(mutex_) = 0;
  Clock::time_point last_decision_ STELE_GUARDED_BY(mutex_);
  bool stream_open_ STELE_GUARDED_BY(mutex_) = false;
  bool closed_ STELE_GUARDED_BY(mutex_) = false;
  absl::Status closed_why_ STELE_GUARDED_BY(mutex_);
  absl::Status last_trouble_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::client
