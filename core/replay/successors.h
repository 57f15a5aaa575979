// The successors of a retracted record: each the record in whose favour the one before was
// retracted, up to a cycle or limits::kSuccessors steps (formats §4). Pure but for `next_of`.
#pragma once

#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "core/replay/replay.h"

namespace stele {

// Into `chain`; says how it ended. `next_of` gives the successor of a record, if it has one, as an
// absl::StatusOr<std::optional<Digest>>; its error ends the walk.
template <class NextOf>
absl::StatusOr<ChainEnd> FollowSuccessors(const Digest& record, std::optional<Digest> next,
                                          std::vector<Digest>& chain, NextOf next_of) {
  absl::flat_hash_set<Digest> seen = {record};
  while (next) {
    if (!seen.insert(*next).second) return ChainEnd::kCycle;
    if (chain.size() == limits::kSuccessors) return ChainEnd::kLimit;
    chain.push_back(*next);
    STELE_ASSIGN_OR_RETURN(next, next_of(*next));
  }
  return ChainEnd::kEnd;
}

}  // namespace stele
