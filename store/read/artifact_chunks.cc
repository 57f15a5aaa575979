#include "store/read/artifact_chunks.h"

#include <string_view>

#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

absl::Status Damaged(const ArtifactRow& artifact, uint64_t number, std::string_view what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat("chunk ", number, " of artifact ", artifact.digest.ToText(), " ", what,
                       "; restore it from a copy"));
}

}  // namespace

absl::StatusOr<std::string> ReadChunk(const Snapshot& snapshot, const ArtifactRow& artifact,
                                      uint64_t number) {
  absl::StatusOr<std::string> bytes = snapshot.ArtifactChunk(artifact.digest, number);
  if (absl::IsNotFound(bytes.status())) return Damaged(artifact, number, "is missing");
  STELE_RETURN_IF_ERROR(bytes.status());
  const std::string_view expected =
      std::string_view(artifact.chunk_digests).substr(number * Digest::kBytes, Digest::kBytes);
  if (Sha256(*bytes).bytes() != expected) return Damaged(artifact, number, "has other bytes");
  return bytes;
}

absl::StatusOr<std::string> ReadSmallArtifact(const Snapshot& snapshot, const Digest& digest) {
  STELE_ASSIGN_OR_RETURN(const ArtifactRow artifact, snapshot.Artifact(digest));
  if (artifact.size > limits::kWholeContentBytes) {
    return Refuse(
        absl::StatusCode::kResourceExhausted, reason::kTooLarge, "",
        Concat(digest.ToText(), " has ", artifact.size, " bytes; above ",
               limits::kWholeContentBytes, " content comes by ArtifactService.DownloadArtifact"));
  }
  std::string bytes;
  bytes.reserve(artifact.size);
  for (uint64_t i = 0; i < ChunksOf(artifact.size); ++i) {
    STELE_ASSIGN_OR_RETURN(const std::string chunk, ReadChunk(snapshot, artifact, i));
    bytes.append(chunk);
  }
  return bytes;
}

}  // namespace stele::store
