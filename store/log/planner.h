// The planner: state, batch, facts and time in; one commit plan and one decision for every
// statement out. PURE: no I/O, no clock. It alone decides replay, authority, role, `after` and each
// type's own conditions, at the index it assigns, earlier statements of the batch included; by the
// same code as every audit (core/replay/judge.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/strong_int.h"
#include "core/statement/statement.h"
#include "store/backend/backend.h"
#include "store/log/facts.h"
#include "store/log/guest_quota.h"
#include "store/log/log_state.h"

namespace stele::store {

// What admission lets through: form and signature checked, content matched to its subjects.
struct AdmittedStatement {
  Statement statement;
  KeyId signer;
  Digest payload_digest;
  std::string payload;
  std::string envelope;             // FormatEnvelope: the form that is logged
  std::optional<Digest> detached;   // of `envelope`, exactly where the type is always detached
  std::vector<ContentRow> content;  // identity bodies and manifests, each verified
  // Digest and size of the artifacts that it makes content, staged whole; `held` keeps them so.
  std::vector<ArtifactRow> artifacts;
  std::vector<std::shared_ptr<const void>> held;
  TreeSize looked_up;                        // it is not in the log below this size
  std::shared_ptr<GuestQuota::Place> guest;  // of a guest's
  size_t bytes() const;                      // what it adds to a plan
};

struct Appended {
  EntryIndex index;
};
struct Replayed {
  EntryIndex index;  // the first one; its entry may be of this very batch
};
// Appended, replayed, or refused.
using Decision = std::variant<Appended, Replayed, absl::Status>;

struct PlannedBatch {
  CommitPlan plan;                  // head.checkpoint still unsigned (empty)
  std::vector<Decision> decisions;  // parallel to the batch
  LogState next;                    // after the plan is durable; edge still holds finished tiles
};

// `facts[i]` is what the log says about batch[i] below the head. `now` is the clock.
// Refusals, in the order of rule 22: UNKNOWN_KEY (NOT_FOUND), GENESIS, those of JudgeAct; then
// WITHHELD (withheld.h), LEAF_TOO_LARGE. A replay is an answer, not a refusal.
// INTERNAL if the two root computations differ: the writer must stop and sign nothing.
// The time of each entry is max(now, last). Content and entries of refused statements are not in
// the plan; with nothing appended the plan has no entries and must not be committed. The content of
// what is appended, and the envelope of what is detached, move out of the batch into the plan;
// nothing else of the batch changes.
absl::StatusOr<PlannedBatch> PlanBatch(const LogState& state,
                                       absl::Span<AdmittedStatement* const> batch,
                                       const std::vector<StatementFacts>& facts, TimeMs now);

}  // namespace stele::store
