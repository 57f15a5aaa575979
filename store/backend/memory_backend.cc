#include "store/backend/memory_backend.h"

#include <utility>

#include "store/backend/memory_disk.h"
#include "store/backend/memory_staging.h"
#include "store/backend/plan_check.h"

namespace stele::store {

MemoryBackend::MemoryBackend() : MemoryBackend(std::make_shared<MemoryDisk>()) {}
MemoryBackend::MemoryBackend(std::shared_ptr<MemoryDisk> disk)
    : disk_(std::move(disk)), staging_(std::make_unique<MemoryStaging>(*this)) {}
MemoryBackend::~MemoryBackend() = default;

absl::StatusOr<std::shared_ptr<const Snapshot>> MemoryBackend::GetSnapshot() const {
  return TakeMemorySnapshot(disk_);
}

absl::Status MemoryBackend::Commit(const CommitPlan& plan) {
  MutexLock lock(mutex_);
  if (!poison_.ok()) return RefusePoisoned(poison_);
  MutexLock disk_lock(disk_->mutex);
  if (absl::Status status = CheckPlan(disk_->head, plan); !status.ok()) return status;
  for (const ArtifactRow& named : plan.artifacts) {
    if (absl::Status status = disk_->CheckArtifact(named); !status.ok()) return status;
  }
  if (fault_) {
    const Fault fault = *std::exchange(fault_, std::nullopt);
    poison_ = fault.error;
    if (fault.outcome == Outcome::kPersisted) disk_->Apply(plan);
    return fault.error;
  }
  disk_->Apply(plan);
  ++commits_;
  return absl::OkStatus();
}

Staging& MemoryBackend::staging() { return *staging_; }

bool MemoryBackend::poisoned() const {
  MutexLock lock(mutex_);
  return !poison_.ok();
}

absl::StatusOr<uint64_t> MemoryBackend::FreeBytes() const {
  MutexLock lock(mutex_);
  return free_bytes_;
}

std::vector<std::pair<std::string, uint64_t>> MemoryBackend::Stats() const {
  MutexLock lock(mutex_);
  return {{"memory_commits", commits_}};
}

void MemoryBackend::FailNextCommit(Outcome outcome, absl::Status error) {
  MutexLock lock(mutex_);
  fault_ = Fault{outcome, std::move(error)};
}

void MemoryBackend::SetReplayReadError(absl::Status error) {
  MutexLock lock(disk_->mutex);
  disk_->replay_read_error = std::move(error);
}

void MemoryBackend::SetReadError(absl::Status error) {
  MutexLock lock(disk_->mutex);
  disk_->read_error = std::move(error);
}

void MemoryBackend::SetFreeBytes(uint64_t bytes) {
  MutexLock lock(mutex_);
  free_bytes_ = bytes;
}

}  // namespace stele::store
