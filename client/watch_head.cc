#include <utility>

#include "client/proofs.h"
#include "client/proven_tree.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

absl::StatusOr<WatchedHead> HeadFrom(CheckpointVerifier& verifier, TreeSize floor,
                                     const std::optional<Checkpoint>& known,
                                     v1::WatchHeadResponse& message) {
  WatchedHead head;
  STELE_ASSIGN_OR_RETURN(head.checkpoint, verifier.Check(message.checkpoint(), floor));
  head.note = std::move(*message.mutable_checkpoint());
  head.last_logged = TimeMs(message.last_logged_ms());
  if (!known) return head;
  if (head.checkpoint.size <= known->size) {
    return Untrusted(Concat("a head of ", head.checkpoint.size.value(), " entries after one of ",
                            known->size.value(), " is not new"));
  }
  STELE_ASSIGN_OR_RETURN(const Proof proof, ProofFrom(message.proof()));
  const absl::Status begins = VerifyConsistency(known->size, head.checkpoint.size, known->root,
                                                head.checkpoint.root, proof);
  if (begins.ok()) return head;
  return Untrusted(Concat("the tree of ", head.checkpoint.size.value(),
                          " entries is not proven to begin with that of ", known->size.value()),
                   begins);
}

}  // namespace

absl::Status Proofs::Watch(std::optional<Checkpoint> known, const VisitHead& visit) const {
  v1::WatchHeadRequest request;
  if (known) request.set_known_size(known->size.value());
  const TreeSize floor = verifier_.newest();
  grpc::ClientContext context;  // without a deadline: the log may rest for long
  auto stream = connection_.stubs().proofs->WatchHead(&context, request);
  v1::WatchHeadResponse message;
  absl::Status fault;
  while (fault.ok() && stream->Read(&message)) {
    absl::StatusOr<WatchedHead> head = HeadFrom(verifier_, floor, known, message);
    fault = head.status();
    if (!fault.ok()) break;
    known = head->checkpoint;
    fault = visit(*head);
  }
  if (!fault.ok()) context.TryCancel();
  const absl::Status ended = FromGrpc(stream->Finish(), connection_.address());
  return fault.ok() ? ended : fault;
}

}  // namespace stele::client
