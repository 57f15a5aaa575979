// Judges every checkpoint that a server shows in one run of a client.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/checkpoint_history.h"
#include "core/base/mutex.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/trust_policy.h"

namespace stele::client {

// May be used from any thread. Each distinct checkpoint's signature is verified once while it is
// among the latest few.
class CheckpointVerifier {
 public:
  // `policy` names at least one key of the log `origin`; checkpoints of its other logs are refused.
  // With a history every checkpoint has to be of one log with those in it.
  CheckpointVerifier(std::string origin, TrustPolicy policy,
                     std::unique_ptr<CheckpointHistory> history = nullptr);

  const std::string& origin() const { return origin_; }
  const TrustPolicy& policy() const { return policy_; }

  // The largest tree verified in this run; 0 before the first. Read it before a request is sent and
  // hand it to Check as `floor`: over one server the head never goes back.
  TreeSize newest() const STELE_EXCLUDES(mutex_);

  // Signature, quorum of the policy, origin, not below `floor`, and not another root for a size
  // that was seen; then the history. DATA_LOSS: do not trust this source. UNAVAILABLE,
  // DEADLINE_EXCEEDED and RESOURCE_EXHAUSTED as CheckpointHistory::Join: the answer does not count,
  // the caller may ask again.
  absl::StatusOr<Checkpoint> Check(std::string_view note, TreeSize floor) STELE_EXCLUDES(mutex_);

 private:
  struct Seen {
    std::string note;
    Checkpoint checkpoint;
  };
  bool FindSeen(std::string_view note, Checkpoint& checkpoint) STELE_EXCLUDES(mutex_);
  absl::Status Remember(std::string_view note, const Checkpoint& checkpoint) STELE_EXCLUDES(mutex_);

  const std::string origin_;
  const TrustPolicy policy_;
  const std::unique_ptr<CheckpointHistory> history_;
  mutable Mutex mutex_;
  std::deque<Seen> seen_ STELE_GUARDED_BY(mutex_);
  Checkpoint newest_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::client
