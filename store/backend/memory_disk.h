// The rows behind memory backends, each stamped with the commit that wrote it, so that a snapshot
// is a stamp and costs nothing. For the files of this folder only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "store/backend/backend.h"

namespace stele::store {

class MemoryDisk {
 public:
  // Every version of a row, oldest first. Only the unfinished tiles ever have more than one.
  template <class Value>
  class Versions {
   public:
    void Add(uint64_t at, Value value) { versions_.emplace_back(at, std::move(value)); }
    // The newest not newer than `at`; null if none.
    const Value* At(uint64_t at) const {
      for (auto it = versions_.rbegin(); it != versions_.rend(); ++it) {
        if (it->first <= at) return &it->second;
      }
      return nullptr;
    }

   private:
    std::vector<std::pair<uint64_t, Value>> versions_;
  };

  // Whether a plan may name it.
  absl::Status CheckArtifact(const ArtifactRow& named) const STELE_REQUIRES(mutex);
  // Applies a plan that was checked, under the next stamp.
  void Apply(const CommitPlan& plan) STELE_REQUIRES(mutex);

  Mutex mutex;
  uint64_t stamp STELE_GUARDED_BY(mutex) = 0;
  std::optional<Head> head STELE_GUARDED_BY(mutex);
  std::map<Digest, Versions<std::string>> content STELE_GUARDED_BY(mutex);
  std::map<Digest, Versions<ArtifactRow>> artifacts STELE_GUARDED_BY(mutex);
  // Staged or of artifacts: what there is of a digest.
  std::map<std::pair<Digest, uint64_t>, std::string> chunks STELE_GUARDED_BY(mutex);
  std::map<Digest, StagedArtifact> staged STELE_GUARDED_BY(mutex);
  std::map<EntryIndex, Versions<EntryRow>> entries STELE_GUARDED_BY(mutex);
  std::map<std::pair<int, uint64_t>, Versions<std::string>> tiles STELE_GUARDED_BY(mutex);
  std::map<ReplayKey, Versions<EntryIndex>> replays STELE_GUARDED_BY(mutex);
  std::map<std::pair<Digest, EntryIndex>, Versions<PublicationRow>> publications
      STELE_GUARDED_BY(mutex);
  std::map<std::pair<Digest, EntryIndex>, Versions<SubjectRow>> subjects STELE_GUARDED_BY(mutex);
  std::vector<std::pair<uint64_t, KeyEvent>> key_events STELE_GUARDED_BY(mutex);
  // Failure hooks of reads; they outlast the handle that set them, as a bad disk does.
  absl::Status replay_read_error STELE_GUARDED_BY(mutex);
  absl::Status read_error STELE_GUARDED_BY(mutex);
};

// A view of the disk as it is now. `disk->mutex` is not held by the caller.
std::shared_ptr<const Snapshot> TakeMemorySnapshot(std::shared_ptr<MemoryDisk> disk);

}  // namespace stele::store
