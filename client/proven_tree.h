// The messages of ProofService as verified values. Included by .cc files of this folder only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "client/connection.h"
#include "client/proofs.h"
#include "stele/v1/proofs.pb.h"

namespace stele::client {

absl::StatusOr<Hash> HashFrom(const std::string& bytes);
absl::StatusOr<Proof> ProofFrom(const google::protobuf::RepeatedPtrField<std::string>& hashes);

// The tree of `asked` entries (0: that of the checkpoint), its root proven to the checkpoint that
// came with it. Every error is DATA_LOSS.
absl::StatusOr<VerifiedTree> TreeFrom(CheckpointVerifier& verifier, TreeSize floor, TreeSize asked,
                                      const v1::ProvenTree& message);

// What the server says, nothing of it verified.
absl::StatusOr<v1::GetConsistencyProofResponse> AskForConsistency(const Connection& connection,
                                                                  TreeSize from, TreeSize to);

}  // namespace stele::client
