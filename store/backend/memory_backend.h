// The contract of backend.h in memory: for tests, and as the plainest statement of what an engine
// does. A "disk" outlives the handles on it, so that a crash is: drop the handle, open another.
//
// Failure hooks come in the two flavours that a failed write has in the world, lost and persisted;
// the handle cannot tell which it was. Everything may be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "store/backend/backend.h"

namespace stele::store {

// What stays when a handle goes. Shared by handles and snapshots.
class MemoryDisk;
class MemoryStaging;

class MemoryBackend final : public Backend {
 public:
  // A new empty disk.
  MemoryBackend();
  // Another handle on a disk: what a restarted process does. Earlier handles must not commit any
  // more.
  explicit MemoryBackend(std::shared_ptr<MemoryDisk> disk);
  ~MemoryBackend() override;

  const std::shared_ptr<MemoryDisk>& disk() const { return disk_; }

  absl::StatusOr<std::shared_ptr<const Snapshot>> GetSnapshot() const override;
  absl::Status Commit(const CommitPlan& plan) override;
  Staging& staging() override;
  bool poisoned() const override;
  absl::StatusOr<uint64_t> FreeBytes() const override;
  std::vector<std::pair<std::string, uint64_t>> Stats() const override;

  // The next commit with a matching base, or the next artifact that is to be staged whole, answers
  // `error` (not OK) and poisons the handle; it is on the disk afterwards (kPersisted) or not
  // (kLost).
  enum class Outcome { kLost, kPersisted };
  void FailNextCommit(Outcome outcome, absl::Status error);
  // While not OK, FindReplay answers this, in snapshots taken before too; OK ends it.
  void SetReplayReadError(absl::Status error);
  // While not OK, every read of another row answers this; OK ends it.
  void SetReadError(absl::Status error);
  // What FreeBytes answers; unlimited (the largest number) at first.
  void SetFreeBytes(uint64_t bytes);

 private:
  friend class MemoryStaging;
  struct Fault {
    Outcome outcome;
    absl::Status error;
  };

  const std::shared_ptr<MemoryDisk> disk_;
  const std::unique_ptr<MemoryStaging> staging_;
  mutable Mutex mutex_;
  absl::Status poison_ STELE_GUARDED_BY(mutex_);  // what the failed commit answered
  std::optional<Fault> fault_ STELE_GUARDED_BY(mutex_);
  uint64_t free_bytes_ STELE_GUARDED_BY(mutex_) = UINT64_MAX;
  uint64_t commits_ STELE_GUARDED_BY(mutex_) = 0;
};

}  // namespace stele::store
