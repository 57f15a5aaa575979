// Content of any size, a piece at a time. What it gives is verified before: content in one piece
// against its digest, a chunk against the artifact's list, and, read from the beginning, the whole
// against its digest before the last piece is handed out.
//
// One thread at a time. It holds no reader: every call brings a fresh one, so that a slow taker
// pins nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/crypto/sha256.h"
#include "store/read/reader.h"

namespace stele::store {

class ContentStream {
 public:
  // From byte `offset` on. NOT_FOUND, also with WITHHELD; OUT_OF_RANGE behind the end; and the
  // reader's errors.
  static absl::StatusOr<ContentStream> Open(const Reader& reader, const Digest& digest,
                                            uint64_t offset);

  const Digest& digest() const { return digest_; }
  uint64_t size() const { return size_; }
  uint64_t position() const { return position_; }  // of the next piece
  // The next piece, at most limits::kArtifactChunkBytes; empty at the end. DATA_LOSS; NOT_FOUND
  // (WITHHELD) if it came to be withheld meanwhile.
  absl::StatusOr<std::string> Next(const Reader& reader);

 private:
  ContentStream(const Digest& digest, uint64_t size, uint64_t offset)
      : digest_(digest), size_(size), position_(offset) {}
  absl::Status CheckWhole(const std::string& last);

  Digest digest_;
  uint64_t size_;
  uint64_t position_;
  std::optional<ArtifactRow> artifact_;
  std::string bytes_;                 // of content in one piece
  std::optional<Sha256Stream> hash_;  // of an artifact read from its beginning
};

}  // namespace stele::store
