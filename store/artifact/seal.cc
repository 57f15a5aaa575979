#include "store/artifact/seal.h"

#include <string>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"

namespace stele::store {
namespace {

absl::StatusOr<std::string> ReadBack(const Staging& staging, const StagedArtifact& staged,
                                     uint64_t number) {
  absl::StatusOr<std::string> bytes = staging.Chunk(staged.digest, number);
  if (absl::IsNotFound(bytes.status())) {
    return absl::UnavailableError(Concat("chunk ", number, " of what was uploaded of ",
                                         staged.digest.ToText(),
                                         " is lost; go on from what is held"));
  }
  STELE_RETURN_IF_ERROR(bytes.status());
  if (bytes->size() == ChunkBytes(staged.size, number)) return bytes;
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat("chunk ", number, " of what was uploaded of ", staged.digest.ToText(),
                       " has ", bytes->size(), " bytes"));
}

}  // namespace

absl::Status SealVerified(Staging& staging, StagedArtifact staged) {
  Sha256Stream whole;
  staged.chunk_digests.clear();
  for (uint64_t i = 0; i < ChunksOf(staged.size); ++i) {
    STELE_ASSIGN_OR_RETURN(const std::string chunk, ReadBack(staging, staged, i));
    whole.Update(chunk);
    staged.chunk_digests.append(Sha256(chunk).bytes());
  }
  if (const Digest is = whole.Finish(); is != staged.digest) {
    return RefuseInput(reason::kContentMismatch, "",
                       Concat("the bytes that were uploaded have the digest ", is.ToText(),
                              ", not ", staged.digest.ToText()));
  }
  staged.whole = true;
  return staging.Seal(staged);
}

}  // namespace stele::store
