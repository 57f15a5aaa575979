// What ProofService answers, free of gRPC: from a moment of the store to a message.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "stele/v1/proofs.pb.h"
#include "store/read/reader.h"

namespace stele::server {

// Each refusal is the call's, as proofs.proto says it.
absl::Status AnswerInclusion(const store::Reader& reader,
                             const v1::GetInclusionProofRequest& request,
                             v1::GetInclusionProofResponse& response);
absl::Status AnswerConsistency(const store::Reader& reader,
                               const v1::GetConsistencyProofRequest& request,
                               v1::GetConsistencyProofResponse& response);
absl::Status AnswerTiles(const store::Reader& reader, const v1::GetTilesRequest& request,
                         v1::GetTilesResponse& response);

// The tree that a request names: `size`, or the reader's own for 0. OUT_OF_RANGE beyond it.
absl::StatusOr<TreeSize> AskedTree(const store::Reader& reader, uint64_t size);
absl::Status FillTree(const store::Reader& reader, TreeSize size, v1::ProvenTree& tree);

// Entry, proof in the tree of `size`, and the envelope of a detached one if it is there.
absl::Status FillProvenEntry(const store::Reader& reader, EntryIndex index, TreeSize size,
                             v1::ProvenEntry& entry);

// The reader's head after one of `known` entries.
absl::Status FillHead(const store::Reader& reader, TreeSize known, v1::WatchHeadResponse& response);

}  // namespace stele::server
