#include "client/checkpoint_verifier.h"

#include <utility>

#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/tlog/quorum.h"

namespace stele::client {
namespace {

constexpr size_t kRemembered = 32;

}  // namespace

CheckpointVerifier::CheckpointVerifier(std::string origin, TrustPolicy policy,
                                       std::unique_ptr<CheckpointHistory> history)
    : origin_(std::move(origin)), policy_(std::move(policy)), history_(std::move(history)) {}

TreeSize CheckpointVerifier::newest() const {
  MutexLock lock(mutex_);
  return newest_.size;
}

bool CheckpointVerifier::FindSeen(std::string_view note, Checkpoint& checkpoint) {
  MutexLock lock(mutex_);
  for (const Seen& seen : seen_) {
    if (seen.note != note) continue;
    checkpoint = seen.checkpoint;
    return true;
  }
  return false;
}

absl::Status CheckpointVerifier::Remember(std::string_view note, const Checkpoint& checkpoint) {
  MutexLock lock(mutex_);
  for (const Seen& seen : seen_) {
    if (seen.checkpoint.size == checkpoint.size && seen.checkpoint.root != checkpoint.root) {
      return Untrusted(Concat("the server signed two different trees of ", checkpoint.size.value(),
                              " entries: ", seen.checkpoint.root.ToText(), " and ",
                              checkpoint.root.ToText()));
    }
  }
  if (checkpoint.size > newest_.size) newest_ = checkpoint;
  seen_.push_front({std::string(note), checkpoint});
  if (seen_.size() > kRemembered) seen_.pop_back();
  return absl::OkStatus();
}

absl::StatusOr<Checkpoint> CheckpointVerifier::Check(std::string_view note, TreeSize floor) {
  Checkpoint checkpoint;
  if (!FindSeen(note, checkpoint)) {
    absl::StatusOr<TrustedCheckpoint> opened = OpenCheckpoint(note, policy_);
    if (!opened.ok()) return Untrusted("the checkpoint does not verify", opened.status());
    checkpoint = std::move(opened->checkpoint);
    if (checkpoint.origin != origin_) {
      return Untrusted(
          Concat("the checkpoint is of the log ", checkpoint.origin, ", expected ", origin_));
    }
    if (history_ != nullptr) STELE_RETURN_IF_ERROR(history_->Join(note, checkpoint));
    STELE_RETURN_IF_ERROR(Remember(note, checkpoint));
  }
  if (checkpoint.size < floor) {
    return Untrusted(Concat("the log went back: a tree of ", checkpoint.size.value(),
                            " entries after one of ", floor.value()));
  }
  return checkpoint;
}

}  // namespace stele::client
