#include "store/artifact/artifact_upload.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/artifact/artifact_stage.h"
#include "store/artifact/seal.h"

namespace stele::store {

constexpr uint64_t kChunk = limits::kArtifactChunkBytes;

ArtifactUpload::~ArtifactUpload() {
  if (!ended_) stage_.book_.Leave(staged_.digest);
}

absl::Status ArtifactUpload::Append(std::string_view bytes) {
  if (bytes.size() > staged_.size - taken_) {
    return RefuseInput(reason::kContentMismatch, "/data",
                       Concat("more than the ", staged_.size, " bytes that were announced of ",
                              staged_.digest.ToText()));
  }
  while (!bytes.empty()) {
    const size_t part = std::min<size_t>(bytes.size(), kChunk - buffer_.size());
    buffer_.append(bytes.substr(0, part));
    bytes.remove_prefix(part);
    taken_ += part;
    if (buffer_.size() == kChunk) STELE_RETURN_IF_ERROR(PutChunk());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Backend>> ArtifactUpload::SameBackend() const {
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<Backend> backend, stage_.OpenBackend());
  if (backend_.lock() == backend) return backend;
  return absl::UnavailableError(
      "the store was reopened during the upload; go on from what is held");
}

absl::Status ArtifactUpload::PutChunk() {
  STELE_RETURN_IF_ERROR(stage_.hooks_.writable());
  STELE_ASSIGN_OR_RETURN(const auto backend, SameBackend());
  const uint64_t number = (taken_ - buffer_.size()) / kChunk;
  STELE_RETURN_IF_ERROR(
      stage_.AfterWrite(backend->staging().PutChunk(staged_.digest, number, buffer_)));
  buffer_.clear();
  return absl::OkStatus();
}

absl::StatusOr<ArtifactState> ArtifactUpload::Finish() {
  using Phase = ArtifactState::Phase;
  if (taken_ < staged_.size) {
    return ArtifactState{Phase::kPartial, staged_.size, taken_ - buffer_.size()};
  }
  if (!buffer_.empty()) STELE_RETURN_IF_ERROR(PutChunk());
  STELE_ASSIGN_OR_RETURN(const auto backend, SameBackend());
  const absl::Status sealed = SealVerified(backend->staging(), staged_);
  if (sealed.ok()) {
    stage_.book_.Settle(staged_.digest, stage_.hooks_.clock());
    ended_ = true;
    return ArtifactState{Phase::kStaged, staged_.size, staged_.size};
  }
  if (backend->poisoned()) return stage_.AfterWrite(sealed);
  if (!absl::IsInvalidArgument(sealed) && !absl::IsDataLoss(sealed)) return sealed;
  const absl::Status dropped = stage_.Drop(staged_);
  ended_ = true;
  STELE_RETURN_IF_ERROR(dropped);
  if (absl::IsInvalidArgument(sealed)) return sealed;
  return absl::UnavailableError(Concat(std::string(sealed.message()),
                                       "; it was dropped, upload it again from the beginning"));
}

}  // namespace stele::store
