#include "store/backend/memory_staging.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/backend/memory_disk.h"
#include "store/backend/plan_check.h"

namespace stele::store {

absl::StatusOr<std::optional<StagedArtifact>> MemoryStaging::Find(const Digest& digest) const {
  MemoryDisk& disk = *backend_.disk();
  MutexLock lock(disk.mutex);
  STELE_RETURN_IF_ERROR(disk.read_error);
  const auto found = disk.staged.find(digest);
  return found == disk.staged.end() ? std::nullopt : std::optional(found->second);
}

absl::StatusOr<std::vector<StagedArtifact>> MemoryStaging::List() const {
  MemoryDisk& disk = *backend_.disk();
  MutexLock lock(disk.mutex);
  STELE_RETURN_IF_ERROR(disk.read_error);
  std::vector<StagedArtifact> all;
  for (const auto& [digest, staged] : disk.staged) all.push_back(staged);
  return all;
}

absl::StatusOr<uint64_t> MemoryStaging::HeldChunks(const Digest& digest, uint64_t chunks) const {
  MemoryDisk& disk = *backend_.disk();
  MutexLock lock(disk.mutex);
  STELE_RETURN_IF_ERROR(disk.read_error);
  uint64_t held = 0;
  while (held < chunks && disk.chunks.contains({digest, held})) ++held;
  return held;
}

absl::StatusOr<std::string> MemoryStaging::Chunk(const Digest& digest, uint64_t number) const {
  MemoryDisk& disk = *backend_.disk();
  MutexLock lock(disk.mutex);
  STELE_RETURN_IF_ERROR(disk.read_error);
  const auto found = disk.chunks.find({digest, number});
  if (found != disk.chunks.end()) return found->second;
  return absl::NotFoundError(Concat("no chunk ", number, " of artifact ", digest.ToText()));
}

absl::Status MemoryStaging::Begin(const StagedArtifact& staged) {
  MutexLock lock(backend_.mutex_);
  if (!backend_.poison_.ok()) return RefusePoisoned(backend_.poison_);
  MemoryDisk& disk = *backend_.disk();
  MutexLock disk_lock(disk.mutex);
  if (disk.artifacts.contains(staged.digest)) {
    return absl::AlreadyExistsError(Concat("the artifact ", staged.digest.ToText(), " is content"));
  }
  disk.staged[staged.digest] = staged;
  return absl::OkStatus();
}

absl::Status MemoryStaging::PutChunk(const Digest& digest, uint64_t number,
                                     std::string_view bytes) {
  MutexLock lock(backend_.mutex_);
  if (!backend_.poison_.ok()) return RefusePoisoned(backend_.poison_);
  MemoryDisk& disk = *backend_.disk();
  MutexLock disk_lock(disk.mutex);
  disk.chunks[{digest, number}] = bytes;
  return absl::OkStatus();
}

absl::Status MemoryStaging::Seal(const StagedArtifact& staged) {
  MutexLock lock(backend_.mutex_);
  if (!backend_.poison_.ok()) return RefusePoisoned(backend_.poison_);
  MemoryDisk& disk = *backend_.disk();
  MutexLock disk_lock(disk.mutex);
  if (backend_.fault_) {
    const MemoryBackend::Fault fault = *std::exchange(backend_.fault_, std::nullopt);
    backend_.poison_ = fault.error;
    if (fault.outcome == MemoryBackend::Outcome::kPersisted) disk.staged[staged.digest] = staged;
    return fault.error;
  }
  disk.staged[staged.digest] = staged;
  return absl::OkStatus();
}

absl::Status MemoryStaging::Drop(const StagedArtifact& staged) {
  MutexLock lock(backend_.mutex_);
  if (!backend_.poison_.ok()) return RefusePoisoned(backend_.poison_);
  MemoryDisk& disk = *backend_.disk();
  MutexLock disk_lock(disk.mutex);
  disk.staged.erase(staged.digest);
  if (disk.artifacts.contains(staged.digest)) return absl::OkStatus();
  for (uint64_t i = 0; i < ChunksOf(staged.size); ++i) disk.chunks.erase({staged.digest, i});
  return absl::OkStatus();
}

}  // namespace stele::store
