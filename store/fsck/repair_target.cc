#include "store/fsck/repair_target.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "core/replay/log_keys.h"
#include "store/log/log_signer.h"
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

// dir/log.key counts as one that the entries do not name: they may end before it was brought in.
absl::StatusOr<std::vector<LogKeySpan>> KeysOf(const Witnesses& witnesses,
                                               const std::string& origin, const StorePaths& paths) {
  std::vector<LogKeySpan> keys = witnesses.log_keys;
  const absl::StatusOr<PrivateKey> own = ReadLogKey(paths);
  if (!own.ok()) {
    if (keys.empty()) return own.status();
    return keys;
  }
  STELE_ASSIGN_OR_RETURN(NoteVerifier verifier, NoteVerifier::Make(origin, own->public_key()));
  const bool named = std::any_of(keys.begin(), keys.end(), [&](const LogKeySpan& span) {
    return span.key.ToVkey() == verifier.ToVkey();
  });
  if (!named) keys.push_back({std::move(verifier), TreeSize{0}, std::nullopt});
  return keys;
}

// By a key that is current at its size.
absl::StatusOr<Checkpoint> Open(const std::string& note, absl::Span<const LogKeySpan> keys) {
  std::vector<NoteVerifier> verifiers;
  for (const LogKeySpan& span : keys) verifiers.push_back(span.key);
  STELE_ASSIGN_OR_RETURN(SignedCheckpoint opened, OpenCheckpoint(note, verifiers));
  STELE_RETURN_IF_ERROR(CheckLogKeys(opened.checkpoint.size, keys, opened.signers).status());
  return std::move(opened.checkpoint);
}

bool Verifies(const Head& head, absl::Span<const LogKeySpan> keys) {
  const auto opened = Open(head.checkpoint, keys);
  return opened.ok() && opened->origin == head.origin && opened->size == head.size &&
         opened->root == head.root;
}

absl::StatusOr<Head> SourceHead(const Witnesses& witnesses, const std::string& origin,
                                absl::Span<const LogKeySpan> keys) {
  const absl::StatusOr<Checkpoint> is = Open(witnesses.source, keys);
  if (!is.ok()) {
    return Refused(
        Concat("the source's checkpoint is not of this log: ", std::string(is.status().message())));
  }
  if (is->origin != origin) {
    return Refused(Concat("the source is of the log ", is->origin, ", the store of ", origin));
  }
  return Head{is->origin, is->size, is->root, {}, witnesses.source};
}

absl::StatusOr<Head> SignAgain(const GuardPosition& guard, const std::string& origin,
                               const StorePaths& paths, absl::Span<const LogKeySpan> keys) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey key, ReadLogKey(paths));
  STELE_ASSIGN_OR_RETURN(const LogSigner signer, LogSigner::Make(origin, {key}));
  absl::StatusOr<std::string> note = signer.Sign({origin, guard.size, guard.root, {}}, keys);
  if (!note.ok()) {
    return Refused(Concat(std::string(note.status().message()), " (as ", paths.log_key.string(),
                          ", for the time of the repair)"));
  }
  return Head{origin, guard.size, guard.root, {}, *std::move(note)};
}

}  // namespace

absl::StatusOr<RepairTarget> ChooseTarget(const Witnesses& witnesses, const StorePaths& paths) {
  STELE_ASSIGN_OR_RETURN(const std::string origin, OriginOf(witnesses));
  STELE_ASSIGN_OR_RETURN(const std::vector<LogKeySpan> keys, KeysOf(witnesses, origin, paths));
  STELE_ASSIGN_OR_RETURN(const Head source, SourceHead(witnesses, origin, keys));
  RepairTarget target{.head = source, .source_size = source.size, .reach = {}};
  bool known = false;
  if (witnesses.head && Verifies(*witnesses.head, keys)) {
    known = true;
    target.reach.push_back({witnesses.head->size, witnesses.head->root});
    if (witnesses.head->size >= target.head.size) target.head = *witnesses.head;
  }
  if (witnesses.guard) {
    known = true;
    target.reach.push_back({witnesses.guard->size, witnesses.guard->root});
    if (witnesses.guard->size > target.head.size) {
      STELE_ASSIGN_OR_RETURN(target.head, SignAgain(*witnesses.guard, origin, paths, keys));
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
