// A log behind a server's gRPC. What the server says is proven on the way (client/fetcher.h):
// entries to be in the tree that its checkpoint signs, content to have its digest.
#pragma once

#include <string>

#include "client/fetcher.h"
#include "client/proofs.h"
#include "client/source/source.h"

namespace stele::client {

class ServerSource final : public Source {
 public:
  // Both outlive the source.
  ServerSource(const Connection& connection, CheckpointVerifier& verifier)
      : name_(connection.address()),
        connection_(connection),
        fetcher_(connection, verifier),
        proofs_(connection, verifier) {}

  const std::string& name() const override { return name_; }
  absl::StatusOr<std::string> Checkpoint() override;
  absl::StatusOr<std::vector<std::string>> Entries(EntryIndex start, uint64_t count,
                                                   TreeSize size) override;
  absl::StatusOr<std::string> Tile(const TileId& id) override;
  absl::Status Content(absl::Span<const Digest> digests, const VisitContent& visit) override;
  absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) override;

 private:
  const std::string name_;
  const Connection& connection_;
  const Fetcher fetcher_;
  const Proofs proofs_;
};

}  // namespace stele::client
