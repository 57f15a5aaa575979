#include "store/log/commit.h"

#include "core/base/status_macros.h"
#include "core/tlog/checkpoint.h"

namespace stele::store {

absl::Status SignAndCommit(Backend& backend, const LogSigner& signer, PlannedBatch& planned) {
  Head& head = planned.plan.head;
  const Checkpoint checkpoint{
      .origin = head.origin, .size = head.size, .root = head.root, .extensions = {}};
  const LogState& next = planned.next;
  STELE_ASSIGN_OR_RETURN(head.checkpoint,
                         signer.Sign(checkpoint, next.events->LogKeys(*next.ring)));
  planned.next.head.checkpoint = head.checkpoint;
  return backend.Commit(planned.plan);
}

}  // namespace stele::store
