#include "store/read/content_stream.h"

#include <algorithm>
#include <utility>

#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

constexpr uint64_t kPiece = limits::kArtifactChunkBytes;

}  // namespace

absl::StatusOr<ContentStream> ContentStream::Open(const Reader& reader, const Digest& digest,
                                                  uint64_t offset) {
  absl::StatusOr<ArtifactRow> artifact = reader.Artifact(digest);
  std::string bytes;
  if (absl::IsNotFound(artifact.status())) {
    STELE_ASSIGN_OR_RETURN(bytes, reader.Content(digest));
  } else {
    STELE_RETURN_IF_ERROR(artifact.status());
  }
  const uint64_t size = artifact.ok() ? artifact->size : bytes.size();
  if (offset > size) {
    return Refuse(absl::StatusCode::kOutOfRange, reason::kWrongValue, "/offset",
                  Concat(digest.ToText(), " has ", size, " bytes, ", offset, " were skipped"));
  }
  ContentStream stream(digest, size, offset);
  stream.bytes_ = std::move(bytes);
  if (artifact.ok()) stream.artifact_ = *std::move(artifact);
  if (stream.artifact_ && offset == 0) stream.hash_.emplace();
  return stream;
}

absl::StatusOr<std::string> ContentStream::Next(const Reader& reader) {
  if (position_ == size_) return std::string();
  std::string piece;
  if (artifact_) {
    STELE_ASSIGN_OR_RETURN(piece, reader.ArtifactChunk(*artifact_, position_ / kPiece));
    piece.erase(0, position_ % kPiece);
  } else {
    piece = bytes_.substr(position_, std::min(kPiece, size_ - position_));
  }
  if (hash_) STELE_RETURN_IF_ERROR(CheckWhole(piece));
  position_ += piece.size();
  return piece;
}

absl::Status ContentStream::CheckWhole(const std::string& last) {
  hash_->Update(last);
  if (position_ + last.size() < size_) return absl::OkStatus();
  const Digest is = hash_->Finish();
  hash_.reset();
  if (is == digest_) return absl::OkStatus();
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat("the stored chunks of ", digest_.ToText(), " lead to ", is.ToText(),
                       "; restore them from a copy"));
}

}  // namespace stele::store
