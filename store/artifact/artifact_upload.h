// One upload: bytes in, chunk after chunk, and in the end an artifact that is staged whole or
// nothing that anybody would take for one.
//
// One thread at a time. Memory: one chunk. Destroyed before its end it leaves the whole chunks that
// came, and a later upload goes on behind them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "store/artifact/artifact_state.h"
#include "store/backend/backend.h"

namespace stele::store {

class ArtifactStage;

class ArtifactUpload {
 public:
  ~ArtifactUpload();
  ArtifactUpload(const ArtifactUpload&) = delete;
  ArtifactUpload& operator=(const ArtifactUpload&) = delete;

  // The next bytes. INVALID_ARGUMENT, CONTENT_MISMATCH: more than were announced.
  // RESOURCE_EXHAUSTED (DISK_FULL), UNAVAILABLE: it can go on later. After an error only the
  // destructor.
  absl::Status Append(std::string_view bytes);

  // No more bytes come. With all of them here, they are verified and staged whole (kStaged); with
  // fewer, it can go on later (kPartial). INVALID_ARGUMENT, CONTENT_MISMATCH: they have another
  // digest, and all of them are dropped. Once.
  absl::StatusOr<ArtifactState> Finish();

 private:
  friend class ArtifactStage;
  ArtifactUpload(ArtifactStage& stage, std::weak_ptr<Backend> backend, const StagedArtifact& staged,
                 uint64_t offset)
      : stage_(stage), backend_(std::move(backend)), staged_(staged), taken_(offset) {}
  // Chunks that were not yet on the disk went with the handle that took them: UNAVAILABLE on
  // another one.
  absl::StatusOr<std::shared_ptr<Backend>> SameBackend() const;
  absl::Status PutChunk();

  ArtifactStage& stage_;
  const std::weak_ptr<Backend> backend_;  // not held open by it
  const StagedArtifact staged_;
  uint64_t taken_;      // bytes, from the artifact's first one on
  std::string buffer_;  // the last of them, less than a chunk
  bool ended_ = false;  // the book knows how
};

}  // namespace stele::store
