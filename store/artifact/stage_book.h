// Who does what with which staged artifact, and how much is staged: the bounds, and that an upload,
// a publication and a drop never meet. No I/O. Any thread.
#pragma once

#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "store/artifact/artifact_state.h"
#include "store/backend/staging.h"

namespace stele::store {

class StageBook {
 public:
  explicit StageBook(const ArtifactOptions& options) : options_(options) {}

  // What was found staged at the start.
  void Load(const std::vector<StagedArtifact>& staged) STELE_EXCLUDES(mutex_);

  struct Entered {
    bool whole = false;            // there is nothing to upload; the upload has not entered
    std::optional<uint64_t> drop;  // first what was announced with this other size
  };
  // An upload begins; Leave, Settle or Forget ends it. RESOURCE_EXHAUSTED: TOO_LARGE, STAGE_FULL,
  // UPLOAD_BUSY (too many); UNAVAILABLE: UPLOAD_BUSY (of this one); INVALID_ARGUMENT:
  // CONTENT_MISMATCH (it is whole with another size).
  absl::StatusOr<Entered> Enter(const Digest& digest, uint64_t size, TimeMs now)
      STELE_EXCLUDES(mutex_);
  void Leave(const Digest& digest) STELE_EXCLUDES(mutex_);               // it may go on later
  void Settle(const Digest& digest, TimeMs now) STELE_EXCLUDES(mutex_);  // it is whole

  // A publication holds one that is whole and of this size, so that it is not dropped; false if
  // there is none. Release says whether nobody holds it any more.
  bool Claim(const Digest& digest, uint64_t size) STELE_EXCLUDES(mutex_);
  bool Release(const Digest& digest) STELE_EXCLUDES(mutex_);

  // What is to be dropped now, and nobody touches until Forget or Leave.
  std::vector<StagedArtifact> TakeExpired(TimeMs now) STELE_EXCLUDES(mutex_);
  // What was being uploaded or dropped is staged no more.
  void Forget(const Digest& digest) STELE_EXCLUDES(mutex_);
  // What was published is staged no more; unless somebody is at it again.
  void ForgetPublished(const Digest& digest) STELE_EXCLUDES(mutex_);

  struct Totals {
    uint64_t artifacts = 0, bytes = 0, uploads = 0;
  };
  Totals totals() const STELE_EXCLUDES(mutex_);

 private:
  struct Slot {
    uint64_t size = 0;
    TimeMs touched;
    bool whole = false;
    bool uploading = false;
    bool dropping = false;
    int claims = 0;
    bool busy() const { return uploading || dropping; }
  };
  void Erase(const Digest& digest) STELE_REQUIRES(mutex_);
  absl::Status CheckRoom(uint64_t size, uint64_t instead_of) const STELE_REQUIRES(mutex_);
  absl::Status CheckUploads() const STELE_REQUIRES(mutex_);

  const ArtifactOptions options_;
  mutable Mutex mutex_;
  absl::flat_hash_map<Digest, Slot> slots_ STELE_GUARDED_BY(mutex_);
  uint64_t bytes_ STELE_GUARDED_BY(mutex_) = 0;
  size_t uploads_ STELE_GUARDED_BY(mutex_) = 0;
};

}  // namespace stele::store
