// Bytes that come in order, without interruption, straight into staged chunks: for repair and
// mirrors. An upload, which may be interrupted, is artifact_upload.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/byte_sink.h"
#include "core/crypto/sha256.h"
#include "store/backend/staging.h"

namespace stele::store {

// One thread at a time. Memory: one chunk.
class ChunkSink final : public ByteSink {
 public:
  // `staging` outlives it.
  ChunkSink(Staging& staging, const Digest& digest, TimeMs now);

  // Errors are those of writing.
  absl::Status Begin() override;
  absl::Status Take(std::string_view piece) override;
  // All bytes came: with the right digest they are staged whole, and this is their size; else they
  // are dropped.
  absl::StatusOr<std::optional<uint64_t>> Finish();
  // They did not all come.
  absl::Status Drop();

 private:
  absl::Status Put();

  Staging& staging_;
  StagedArtifact staged_;
  Sha256Stream whole_;
  std::string buffer_;
};

}  // namespace stele::store
