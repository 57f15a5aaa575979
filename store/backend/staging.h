// Where an artifact's chunks wait until a publication names it (docs/backend.md).
//
// Nothing here is truth and no snapshot shows it. Chunks are written in order, from the first on;
// once all of them are there and verified, the artifact is staged whole, and a plan that names it
// makes it content. What no plan names is dropped.
//
// Threads: any; the calls about one digest come from one thread at a time. Errors of writing are
// those of Backend::Commit: after one the handle is poisoned. Reading: NOT_FOUND, DATA_LOSS naming
// the row, UNAVAILABLE.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/artifact_limits.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"

namespace stele::store {

// Chunks of limits::kArtifactChunkBytes, the last one shorter; none of an empty artifact.
constexpr uint64_t ChunksOf(uint64_t artifact_bytes) {
  constexpr uint64_t kChunk = limits::kArtifactChunkBytes;
  return artifact_bytes / kChunk + (artifact_bytes % kChunk != 0 ? 1 : 0);
}
// Bytes of chunk `number` of an artifact of this size.
constexpr uint64_t ChunkBytes(uint64_t artifact_bytes, uint64_t number) {
  constexpr uint64_t kChunk = limits::kArtifactChunkBytes;
  const uint64_t left = number < ChunksOf(artifact_bytes) ? artifact_bytes - number * kChunk : 0;
  return left < kChunk ? left : kChunk;
}

struct StagedArtifact {
  Digest digest;
  uint64_t size = 0;  // as announced; of what is whole, as it is
  TimeMs touched;     // last begun or made whole
  bool whole = false;
  std::string chunk_digests;  // once whole: SHA-256 of each chunk, 32 bytes each
  friend bool operator==(const StagedArtifact&, const StagedArtifact&) = default;
};

class Staging {
 public:
  virtual ~Staging() = default;

  virtual absl::StatusOr<std::optional<StagedArtifact>> Find(const Digest& digest) const = 0;
  virtual absl::StatusOr<std::vector<StagedArtifact>> List() const = 0;
  // How many chunks are there, from the first one on, of at most `chunks`.
  virtual absl::StatusOr<uint64_t> HeldChunks(const Digest& digest, uint64_t chunks) const = 0;
  // Unverified.
  virtual absl::StatusOr<std::string> Chunk(const Digest& digest, uint64_t number) const = 0;

  // Begins, or touches again, one that is not whole. Durable on return. ALREADY_EXISTS if it is
  // content in chunks by now: those are never written again.
  virtual absl::Status Begin(const StagedArtifact& staged) = 0;
  // Of one that was begun. Not durable: a crash may lose the chunks written last. Putting one again
  // replaces it.
  virtual absl::Status PutChunk(const Digest& digest, uint64_t number, std::string_view bytes) = 0;
  // `staged` is whole from now on: its row and all its chunks are on stable storage on return.
  virtual absl::Status Seal(const StagedArtifact& staged) = 0;
  // Row and chunks go; of what is content by now only the row.
  virtual absl::Status Drop(const StagedArtifact& staged) = 0;
};

}  // namespace stele::store
