// Proofs from a server, each verified before the caller sees it: up to a checkpoint that the
// verifier takes (policy or pin), all of one answer.
//
// DATA_LOSS means that something did not verify: do not trust this source, never retried.
// UNAVAILABLE and DEADLINE_EXCEEDED: it cannot be reached. May be used from any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/checkpoint_verifier.h"
#include "client/connection.h"
#include "core/base/strong_int.h"
#include "core/merkle/proof.h"
#include "core/tlog/tile.h"

namespace stele::client {

// A tree that the signed one begins with.
struct VerifiedTree {
  TreeSize size;
  Hash root;
  Proof to_head;  // consistency with `head`; empty if that is the same tree
  Checkpoint head;
  std::string note;  // the signed checkpoint of `head`
};

struct InclusionAnswer {
  EntryIndex index;
  Hash leaf_hash;
  Proof proof;
  VerifiedTree tree;
};

struct ConsistencyAnswer {
  TreeSize from_size;
  Hash from_root;
  Proof proof;
  VerifiedTree tree;
};

struct EntryWithProof {
  EntryIndex index;
  std::string leaf;
  Proof proof;
  // The envelope of a detached entry: its digest and size are those in the leaf. Nothing if the
  // entry is inline, or if the server does not give it.
  std::optional<std::string> detached;
};

// What a citation bundle is made of. Which entries there are is the server's word; all else is
// verified.
struct CitationParts {
  VerifiedTree tree;                    // that of its own checkpoint
  std::vector<EntryWithProof> entries;  // ascending
  std::optional<std::string> identity;  // hashes to the record; nothing if withheld
  std::optional<std::string> manifest;  // of that record; nothing if withheld
};

struct WatchedHead {
  Checkpoint checkpoint;
  std::string note;
  TimeMs last_logged;  // the server's word
};

class Proofs {
 public:
  // Both must outlive it.
  Proofs(const Connection& connection, CheckpointVerifier& verifier)
      : connection_(connection), verifier_(verifier) {}

  // In the tree of `size`, the newest for 0. NOT_FOUND, OUT_OF_RANGE as the server says.
  absl::StatusOr<InclusionAnswer> GetInclusion(EntryIndex index, TreeSize size = {}) const;
  // From size 0 is INVALID_ARGUMENT, PROOF_INDEX: it does not exist.
  absl::StatusOr<ConsistencyAnswer> GetConsistency(TreeSize from, TreeSize to = {}) const;

  // Entries in the order asked, all in one tree, which is returned. At most
  // limits::kProvenEntries. An error of `visit` ends it and is returned.
  using VisitEntry = std::function<absl::Status(EntryWithProof)>;
  absl::StatusOr<VerifiedTree> GetEntries(absl::Span<const EntryIndex> indexes, TreeSize size,
                                          const VisitEntry& visit) const;

  // Everything for a citation of the record, of one tree. NOT_FOUND if it was never published.
  absl::StatusOr<CitationParts> GetCitation(const Digest& record) const;

  // Tiles of hashes as the server holds them, in the order asked. The lengths are right; the hashes
  // are NOT verified, that is for whoever knows better (an audit). At most limits::kRequestTiles.
  absl::StatusOr<std::vector<std::string>> GetTiles(absl::Span<const TileId> tiles) const;

  // Each new head, from one larger than `known` on (nothing: the one there is), each proven to
  // begin with the one before. Until `visit` or the server ends it.
  using VisitHead = std::function<absl::Status(const WatchedHead&)>;
  absl::Status Watch(std::optional<Checkpoint> known, const VisitHead& visit) const;

 private:
  const Connection& connection_;
  CheckpointVerifier& verifier_;
};

}  // namespace stele::client
