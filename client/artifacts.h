// Artifacts to and from a server: bytes of any size, through lost connections.
//
// Both directions go on where they were, with growing pauses, until nothing moved for the
// connection's timeout. Nothing of an artifact is held but the piece in hand. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/connection.h"
#include "core/crypto/digest.h"
#include "core/crypto/key.h"

namespace stele::client {

// The server's word.
struct RemoteArtifact {
  enum class Phase { kPartial, kStaged, kStored };
  Phase phase = Phase::kPartial;
  uint64_t size = 0;
  uint64_t held = 0;  // bytes, from the first one on
};
// NOT_FOUND if nothing of it is there, or it is withheld (WITHHELD).
absl::StatusOr<RemoteArtifact> FindArtifact(const Connection& connection, const Digest& digest);

// Told while bytes move; any of them may be empty.
struct TransferHooks {
  std::function<void(uint64_t done, uint64_t size)> progress;
  std::function<void(const absl::Status&)> on_trouble;  // followed by another try
};

struct OutgoingArtifact {
  Digest digest;
  uint64_t size = 0;
  KeyId key;
  std::string envelope;  // DSSE: the publication that will name it
};
// Exactly `bytes` bytes from `offset` on.
using ReadPiece = std::function<absl::StatusOr<std::string>(uint64_t offset, size_t bytes)>;

// Brings it to the server; on OK all of it is there, staged or stored. Errors: those of
// ArtifactService.UploadArtifact; what `read` says; UNAVAILABLE, DEADLINE_EXCEEDED: what came stays
// there for a while.
absl::StatusOr<RemoteArtifact> UploadArtifact(const Connection& connection,
                                              const OutgoingArtifact& artifact,
                                              const ReadPiece& read, const TransferHooks& hooks);

// Hears the bytes from `offset` on, in order; gives the size of the whole. The digest is the
// caller's to check. Errors: those of ArtifactService.DownloadArtifact; what `take` says;
// UNAVAILABLE, DEADLINE_EXCEEDED; DATA_LOSS if the server contradicts itself.
using TakePiece = std::function<absl::Status(std::string_view piece)>;
absl::StatusOr<uint64_t> DownloadContent(const Connection& connection, const Digest& digest,
                                         uint64_t offset, const TakePiece& take,
                                         const TransferHooks& hooks);

}  // namespace stele::client
