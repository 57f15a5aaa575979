// Where a proof maker gets its hashes from: one method, so that a verifying reader is the same
// interface with checking added.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/merkle/hash.h"

namespace stele {

// The root of the perfect subtree over leaves [index << level, (index + 1) << level).
struct NodeId {
  int level = 0;
  uint64_t index = 0;
  friend bool operator==(const NodeId&, const NodeId&) = default;
};

class HashReader {
 public:
  virtual ~HashReader() = default;
  // One hash for each id, in order. Every id lies within the tree that the reader is for.
  // NOT_FOUND or DATA_LOSS as the source says; the caller passes it on.
  virtual absl::StatusOr<std::vector<Hash>> ReadHashes(absl::Span<const NodeId> ids) const = 0;
};

}  // namespace stele
