// What the ring lets a key do: roles, grants and revocations (rules 15 to 19, order of rule 22).
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/statement/key_ring.h"

namespace stele {
namespace {

absl::Status RefuseRole(std::string_view message) {
  return Refuse(absl::StatusCode::kPermissionDenied, reason::kRole, "", message);
}

absl::Status RefuseState(std::string_view reason, std::string_view pointer,
                         std::string_view message) {
  return Refuse(absl::StatusCode::kFailedPrecondition, reason, pointer, message);
}

}  // namespace

absl::Status KeyRing::CheckRole(const KeyId& signer, Role least) const {
  const std::optional<Role> role = RoleOf(signer);
  // A recovery key may nothing but what CheckGrant and CheckRevoke let it.
  if (role && *role != Role::kRecovery && *role <= least) return absl::OkStatus();
  return RefuseRole("the key " + signer.ToText() + " is " +
                    std::string(role ? RoleName(*role) : "without a role") + ", this needs " +
                    std::string(RoleName(least)));
}

// `allowed_to_recovery`: what a recovery key may do here too.
absl::Status KeyRing::CheckKeyEventRole(const KeyId& signer, bool allowed_to_recovery) const {
  if (allowed_to_recovery && IsRecoveryKey(signer)) return absl::OkStatus();
  return CheckRole(signer, Role::kOperator);
}

absl::Status KeyRing::CheckAfter(EventIndex after, const KeyId& subject) const {
  const EventIndex latest = Latest(subject);
  if (after == latest || !rules_.after) return absl::OkStatus();
  return Refuse(absl::StatusCode::kAborted, reason::kStaleAfter, "/predicate/after",
                "the latest event about this key is " + std::to_string(latest.value()) +
                    ", the statement names " + std::to_string(after.value()));
}

// LAST_OPERATOR if nobody would be left in charge after `event`.
absl::Status KeyRing::CheckSomebodyLeft(const KeyEvent& event) const {
  // Only taking an operator's role, or disputing, can remove one.
  const bool removes = RoleOf(event.subject) == Role::kOperator && event.role != Role::kOperator;
  if (!rules_.last_operator || has_recovery_keys_ || (!removes && !event.compromised_since))
    return absl::OkStatus();
  KeyRing after = *this;
  after.Add(event);
  for (const auto& [key, latest] : after.latest_) {
    if (after.RoleOf(key) == Role::kOperator) return absl::OkStatus();
  }
  return RefuseState(reason::kLastOperator, "", "nobody would be left in charge of the log");
}

absl::Status KeyRing::CheckGrant(EntryIndex index, const KeyId& signer,
                                 const KeyGrant& grant) const {
  const KeyId& subject = grant.key.id();
  STELE_RETURN_IF_ERROR(CheckKeyEventRole(signer, grant.role == Role::kOperator));
  STELE_RETURN_IF_ERROR(CheckAfter(grant.after, subject));
  if (IsRecoveryKey(subject)) {
    return RefuseState(reason::kRecoveryKey, "/predicate/key", "a recovery key has no role");
  }
  KeyEvent event;
  event.index = index;
  event.kind = KeyEvent::Kind::kGrant;
  event.subject = subject;
  event.signer = signer;
  event.authority = Latest(signer);
  event.role = grant.role;
  return CheckSomebodyLeft(event);
}

absl::Status KeyRing::CheckRevoke(EntryIndex index, const KeyId& signer, const KeyId& subject,
                                  const KeyRevoke& revoke) const {
  STELE_RETURN_IF_ERROR(CheckKeyEventRole(signer, RoleOf(subject) == Role::kOperator));
  STELE_RETURN_IF_ERROR(CheckAfter(revoke.after, subject));
  if (IsRecoveryKey(subject)) {
    return RefuseState(reason::kRecoveryKey, "/subject/0", "a recovery key cannot be revoked");
  }
  if (revoke.compromised_since && *revoke.compromised_since > index) {
    return RefuseState(reason::kCompromisedSince, "/predicate/compromisedSince",
                       "must not be above this entry, " + std::to_string(index.value()));
  }
  KeyEvent event;
  event.index = index;
  event.kind = KeyEvent::Kind::kRevoke;
  event.subject = subject;
  event.signer = signer;
  event.authority = Latest(signer);
  event.compromised_since = revoke.compromised_since;
  return CheckSomebodyLeft(event);
}

}  // namespace stele
