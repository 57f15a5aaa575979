// Looks up in one moment of the store what the planner asks (facts.h).
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "core/statement/statement.h"
#include "store/backend/backend.h"
#include "store/log/facts.h"
#include "store/log/planner.h"
#include "store/log/recent_replays.h"

namespace stele::store {

// The copies of a detached statement whose envelopes are there and say this; ascending.
absl::StatusOr<std::vector<DetachedCopy>> FindCopies(const Snapshot& snapshot,
                                                     const ReplayKey& key);

// All that the planner asks about a statement below the head that `snapshot` shows; `recent` knows
// the replay keys of the latest commits.
absl::StatusOr<StatementFacts> FindStatementFacts(const Snapshot& snapshot,
                                                  const RecentReplays& recent,
                                                  const AdmittedStatement& statement);

// What is asked about the subjects of `statement`. Reads nothing for the types that ask nothing,
// publications first of all; of a foreign statement it stops at the first subject that is stored.
absl::StatusOr<absl::flat_hash_map<Digest, SubjectFacts>> FindSubjectFacts(
    const Snapshot& snapshot, const Statement& statement, const KeyId& signer);

}  // namespace stele::store
