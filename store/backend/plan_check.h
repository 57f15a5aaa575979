// Whether a plan may be applied on a head: the part of the contract that is the same for every
// engine.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "store/backend/backend.h"

namespace stele::store {

// FAILED_PRECONDITION if the plan's base is not `head` (the empty tree if there is none),
// INVALID_ARGUMENT if its parts do not fit together. Either way nothing may be written.
absl::Status CheckPlan(const std::optional<Head>& head, const CommitPlan& plan);

// Of an artifact that a plan names: `staged` and `stored` are what there is of it. INVALID_ARGUMENT
// if neither is whole and of that size.
absl::Status CheckNamed(const ArtifactRow& named, const std::optional<StagedArtifact>& staged,
                        const std::optional<ArtifactRow>& stored);

// Commit on a handle that writes no more. FAILED_PRECONDITION; the reason is DISK_FULL if that is
// why, else READ_ONLY.
absl::Status RefusePoisoned(const absl::Status& cause);

}  // namespace stele::store
