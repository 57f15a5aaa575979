#include "store/fsck/repair_target.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "core/tlog/note.h"
#include "store/open_log.h"

namespace stele::store {
namespace {

absl::Status Refused(std::string message) {
  return absl::FailedPreconditionError(std::move(message));
}

absl::StatusOr<std::string> OriginOf(const Witnesses& witnesses) {
  if (witnesses.guard_identity) return witnesses.guard_identity->origin;
  if (witnesses.head) return witnesses.head->origin;
  return Refused(
      "neither the guard nor the head of the store is whole, so nothing tells how long the log "
      "was; "
      "restore one of them");
}

absl::StatusOr<NoteVerifier> VerifierOf(const Witnesses& witnesses, const std::string& origin,
                                        const StorePaths& paths) {
  if (!witnesses.log_vkey.empty()) return NoteVerifier::FromVkey(witnesses.log_vkey);
  STELE_ASSIGN_OR_RETURN(const PrivateKey key, ReadLogKey(paths));
  return NoteVerifier::Make(origin, key.public_key());
}

bool Verifies(const Head& head, const NoteVerifier& verifier) {
  const auto opened = OpenCheckpoint(head.checkpoint, {verifier});
  return opened.ok() && opened->checkpoint.origin == head.origin &&
         opened->checkpoint.size == head.size && opened->checkpoint.root == head.root;
}

absl::StatusOr<Head> SourceHead(const Witnesses& witnesses, const std::string& origin,
                                const NoteVerifier& verifier) {
  const auto opened = OpenCheckpoint(witnesses.source, {verifier});
  if (!opened.ok()) {
    return Refused(Concat("the source's checkpoint is not of this log: ",
                          std::string(opened.status().message())));
  }
  const Checkpoint& is = opened->checkpoint;
  if (is.origin != origin) {
    return Refused(Concat("the source is of the log ", is.origin, ", the store of ", origin));
  }
  return Head{is.origin, is.size, is.root, {}, witnesses.source};
}

absl::StatusOr<Head> SignAgain(const GuardPosition& guard, const std::string& origin,
                               const StorePaths& paths) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey key, ReadLogKey(paths));
  STELE_ASSIGN_OR_RETURN(const NoteVerifier verifier, NoteVerifier::Make(origin, key.public_key()));
  STELE_ASSIGN_OR_RETURN(std::string note,
                         SignCheckpoint({origin, guard.size, guard.root, {}}, verifier, key));
  return Head{origin, guard.size, guard.root, {}, std::move(note)};
}

}  // namespace

absl::StatusOr<RepairTarget> ChooseTarget(const Witnesses& witnesses, const StorePaths& paths) {
  STELE_ASSIGN_OR_RETURN(const std::string origin, OriginOf(witnesses));
  STELE_ASSIGN_OR_RETURN(const NoteVerifier verifier, VerifierOf(witnesses, origin, paths));
  STELE_ASSIGN_OR_RETURN(const Head source, SourceHead(witnesses, origin, verifier));
  RepairTarget target{.head = source, .source_size = source.size, .reach = {}};
  bool known = false;
  if (witnesses.head && Verifies(*witnesses.head, verifier)) {
    known = true;
    target.reach.push_back({witnesses.head->size, witnesses.head->root});
    if (witnesses.head->size >= target.head.size) target.head = *witnesses.head;
  }
  if (witnesses.guard) {
    known = true;
    target.reach.push_back({witnesses.guard->size, witnesses.guard->root});
    if (witnesses.guard->size > target.head.size) {
      STELE_ASSIGN_OR_RETURN(target.head, SignAgain(*witnesses.guard, origin, paths));
    }
  }
  if (!known) {
    return Refused(
        "neither the guard nor the head of the store is whole, so nothing tells how long the log "
        "was; restore one of them");
  }
  target.reach.push_back({source.size, source.root});
  return target;
}

}  // namespace stele::store
