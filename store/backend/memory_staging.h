// Staging on a memory disk. For the files of this folder only.
#pragma once

#include "core/base/mutex.h"
#include "store/backend/memory_backend.h"

namespace stele::store {

class MemoryStaging final : public Staging {
 public:
  // Borrows the backend whose part it is.
  explicit MemoryStaging(MemoryBackend& backend) : backend_(backend) {}

  absl::StatusOr<std::optional<StagedArtifact>> Find(const Digest& digest) const override;
  absl::StatusOr<std::vector<StagedArtifact>> List() const override;
  absl::StatusOr<uint64_t> HeldChunks(const Digest& digest, uint64_t chunks) const override;
  absl::StatusOr<std::string> Chunk(const Digest& digest, uint64_t number) const override;
  absl::Status Begin(const StagedArtifact& staged) override;
  absl::Status PutChunk(const Digest& digest, uint64_t number, std::string_view bytes) override;
  absl::Status Seal(const StagedArtifact& staged) override;
  absl::Status Drop(const StagedArtifact& staged) override;

 private:
  MemoryBackend& backend_;
};

}  // namespace stele::store
