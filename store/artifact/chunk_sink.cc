#include "store/artifact/chunk_sink.h"

#include <algorithm>

#include "core/base/artifact_limits.h"
#include "core/base/status_macros.h"

namespace stele::store {

constexpr size_t kChunk = limits::kArtifactChunkBytes;

ChunkSink::ChunkSink(Staging& staging, const Digest& digest, TimeMs now) : staging_(staging) {
  staged_.digest = digest;
  staged_.touched = now;
}

absl::Status ChunkSink::Begin() {
  if (staged_.size > 0 || !buffer_.empty()) STELE_RETURN_IF_ERROR(Drop());
  return staging_.Begin(staged_);
}

absl::Status ChunkSink::Take(std::string_view piece) {
  while (!piece.empty()) {
    const size_t part = std::min(piece.size(), kChunk - buffer_.size());
    buffer_.append(piece.substr(0, part));
    piece.remove_prefix(part);
    if (buffer_.size() == kChunk) STELE_RETURN_IF_ERROR(Put());
  }
  return absl::OkStatus();
}

absl::Status ChunkSink::Put() {
  STELE_RETURN_IF_ERROR(staging_.PutChunk(staged_.digest, staged_.size / kChunk, buffer_));
  staged_.chunk_digests.append(Sha256(buffer_).bytes());
  staged_.size += buffer_.size();
  whole_.Update(buffer_);
  buffer_.clear();
  return absl::OkStatus();
}

absl::StatusOr<std::optional<uint64_t>> ChunkSink::Finish() {
  if (!buffer_.empty()) STELE_RETURN_IF_ERROR(Put());
  if (whole_.Finish() != staged_.digest) {
    STELE_RETURN_IF_ERROR(Drop());
    return std::optional<uint64_t>();
  }
  staged_.whole = true;
  STELE_RETURN_IF_ERROR(staging_.Seal(staged_));
  return std::optional(staged_.size);
}

absl::Status ChunkSink::Drop() {
  const absl::Status dropped = staging_.Drop(staged_);
  staged_.size = 0;
  staged_.chunk_digests.clear();
  buffer_.clear();
  whole_ = Sha256Stream();
  return dropped;
}

}  // namespace stele::store
