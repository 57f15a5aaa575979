// The planner: head, key ring, dedup answers, batch and time in; one commit plan and one decision for
// every statement out. PURE: no I/O, no clock. It alone decides replay, authority, role, `after` and
// each type's own conditions, at the index it assigns, earlier statements of the batch included.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/merkle/frontier.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"
#include "core/tlog/tree_edge.h"
#include "store/backend/backend.h"

namespace stele::store {

// What admission lets through: form and signature checked, content matched to its subjects.
struct AdmittedStatement {
  Statement statement;
  KeyId signer;
  Digest payload_digest;
  std::string payload;
  std::string signature;
  std::string envelope;             // FormatEnvelope: the form that is logged
  std::vector<ContentRow> content;  // identity bodies and manifests, each verified
  size_t bytes() const;             // what it adds to a plan
};

// The writer's state between two commits. Moves forward only by a plan that was committed.
struct LogState {
  Head head;
  KeyRing ring;
  TreeEdge edge;
  Frontier frontier;  // second, independent computation of the root
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

// `dedup[i]` is what the replay index says about batch[i] below the head. `now` is the clock.
// INTERNAL if the two root computations differ: the writer must stop and sign nothing.
// The time of each entry is max(now, last). Content and entries of refused statements are not in the
// plan; with nothing appended the plan has no entries and must not be committed.
absl::StatusOr<PlannedBatch> PlanBatch(const LogState& state,
                                       const std::vector<std::unique_ptr<AdmittedStatement>>& batch,
                                       const std::vector<std::optional<EntryIndex>>& dedup,
                                       TimeMs now);

}  // namespace stele::store
