// Artifacts on their way in: uploads, what they leave, and what becomes of it. Bounded in number
// and bytes; what no publication names is dropped after a time, by a thread of its own.
//
// Any thread. Outlives its uploads and claims.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "absl/status/statusor.h"
#include "core/base/mutex.h"
#include "store/artifact/artifact_state.h"
#include "store/artifact/artifact_upload.h"
#include "store/artifact/stage_book.h"
#include "store/backend/backend.h"
#include "store/log/clock.h"

namespace stele::store {

class ArtifactStage {
 public:
  struct Hooks {
    std::function<std::shared_ptr<Backend>()> backend;      // null while it is being reopened
    std::function<absl::Status()> writable;                 // why nothing is taken
    std::function<void(const absl::Status&)> write_failed;  // the backend is poisoned
    Clock clock;
    EventLog log;  // may be empty
  };
  ArtifactStage(const ArtifactOptions& options, Hooks hooks);
  ~ArtifactStage();

  // Looks at what is staged and drops what has been there too long. Before anything else.
  absl::Status Start();
  // Ends its thread. Nothing is dropped any more.
  void Stop() STELE_EXCLUDES(mutex_);

  // Staged, whole or in part, or content in chunks, at this very moment; nothing if it is neither.
  absl::StatusOr<std::optional<ArtifactState>> Find(const Digest& digest) const;

  // Null if it is staged whole already. `offset` is where the bytes go on: what Find says is held,
  // else FAILED_PRECONDITION, UPLOAD_OFFSET. Others: those of StageBook::Enter, of the hooks, and
  // UNAVAILABLE.
  absl::StatusOr<std::unique_ptr<ArtifactUpload>> Begin(const Digest& digest, uint64_t size,
                                                        uint64_t offset);

  // Keeps one that is staged whole, with this size, from being dropped until the last copy is
  // gone; null if there is none.
  std::shared_ptr<const void> Claim(const Digest& digest, uint64_t size);

  StageBook::Totals totals() const { return book_.totals(); }

 private:
  friend class ArtifactUpload;
  absl::StatusOr<std::shared_ptr<Backend>> OpenBackend() const;
  absl::Status Prepare(Staging& staging, const StagedArtifact& staged,
                       const StageBook::Entered& entered, uint64_t offset) const;
  // What a failed write comes to for its caller.
  absl::Status AfterWrite(const absl::Status& written) const;
  absl::Status Drop(const StagedArtifact& staged);
  void ReleaseClaim(const Digest& digest);
  void Sweep();
  void Run() STELE_EXCLUDES(mutex_);
  void Log(std::string_view severity, const std::string& message) const;

  const ArtifactOptions options_;
  const Hooks hooks_;
  StageBook book_;
  Mutex mutex_;
  CondVar wake_;
  bool stopping_ STELE_GUARDED_BY(mutex_) = false;
  std::thread sweeper_;
};

}  // namespace stele::store
