#include "tests/support/store/artifacts.h"

#include <algorithm>
#include <random>
#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "store/read/content_stream.h"

namespace stele::testing {

std::string ArtifactBytes(uint64_t number, size_t size) {
  std::mt19937_64 random(number);
  std::string bytes;
  bytes.reserve(size + 8);
  while (bytes.size() < size) {
    const uint64_t word = random();
    bytes.append(reinterpret_cast<const char*>(&word), sizeof(word));
  }
  bytes.resize(size);
  return bytes;
}

Statement ArtifactPublication(const std::vector<std::string>& artifacts) {
  Statement statement = Publication({});
  for (const std::string& bytes : artifacts) {
    statement.subjects.push_back({.kind = Subject::Kind::kArtifact,
                                  .digest = Sha256(bytes),
                                  .media_type = "application/octet-stream",
                                  .manifest = {},
                                  .size = bytes.size()});
  }
  return statement;
}

store::UploadStart StartOf(const std::string& bytes, const PrivateKey& signer, uint64_t offset) {
  store::PublishItem item = Sign(ArtifactPublication({bytes}), signer);
  return {.digest = Sha256(bytes),
          .size = bytes.size(),
          .offset = offset,
          .key_id = std::move(item.key_id),
          .envelope = std::move(item.envelope)};
}

absl::StatusOr<store::ArtifactState> Upload(store::Store& store, const std::string& bytes,
                                            const PrivateKey& signer, size_t piece) {
  const auto state = store.FindArtifact(Sha256(bytes));
  if (!state.ok() && !absl::IsNotFound(state.status())) return state.status();
  const uint64_t held = state.ok() ? state->held : 0;
  STELE_ASSIGN_OR_RETURN(const store::BegunUpload begun,
                         store.BeginUpload(StartOf(bytes, signer, held)));
  if (begun.upload == nullptr) return begun.state;
  for (size_t at = held; at < bytes.size(); at += piece) {
    STELE_RETURN_IF_ERROR(begun.upload->Append(std::string_view(bytes).substr(at, piece)));
  }
  return begun.upload->Finish();
}

absl::StatusOr<std::string> ReadStream(const store::Reader& reader, const Digest& digest,
                                       uint64_t offset) {
  STELE_ASSIGN_OR_RETURN(store::ContentStream stream,
                         store::ContentStream::Open(reader, digest, offset));
  std::string bytes;
  for (;;) {
    STELE_ASSIGN_OR_RETURN(const std::string piece, stream.Next(reader));
    if (piece.empty()) return bytes;
    bytes.append(piece);
  }
}

}  // namespace stele::testing
