// Rule 22: the first reason why an entry is void, in its order. Replay and `replay.cc` have the
// rest.
#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/replay/replay.h"

namespace stele {
namespace {

absl::Status RefuseState(std::string_view reason, std::string_view pointer,
                         std::string_view message) {
  return Refuse(absl::StatusCode::kFailedPrecondition, reason, pointer, message);
}

absl::Status RefuseRole(std::string_view reason, std::string_view message) {
  return Refuse(absl::StatusCode::kPermissionDenied, reason, "", message);
}

// The weakest role that may say it. Key events and introductions have rules of their own.
Role WeakestFor(StatementType type) {
  switch (type) {
    case StatementType::kVerification:
      return Role::kRunner;
    case StatementType::kPublication:
    case StatementType::kRetraction:
      return Role::kPublisher;
    case StatementType::kReproduction:
    case StatementType::kNote:
    case StatementType::kForeign:
      return Role::kGuest;
    default:
      return Role::kOperator;
  }
}

}  // namespace

absl::Status Replay::CheckSigner(const Said& said) const {
  if (ring_.FindKey(said.signer) == nullptr && !said.own_key) {
    return Refuse(absl::StatusCode::kNotFound, reason::kUnknownKey, "",
                  Concat("no valid key event below brings the key ", said.signer.ToText()));
  }
  if (said.signature != Said::Signature::kGood) {
    return RefuseInput(reason::kBadSignature, "", "the signature does not verify");
  }
  return absl::OkStatus();
}

// From the payload's form on: what does not depend on copies.
absl::Status Replay::CheckStatement(const Said& said) const {
  if (said.reading != Said::Reading::kWhole) {
    return RefuseInput(said.reason, "", "the statement has not the form that it must have");
  }
  STELE_RETURN_IF_ERROR(CheckPlace(said));
  if (said.statement.type == StatementType::kGenesis) return absl::OkStatus();
  return CheckFamily(said);
}

absl::Status Replay::CheckPlace(const Said& said) const {
  const bool first = said.index == EntryIndex(0);
  if ((said.statement.type == StatementType::kGenesis) != first) {
    return RefuseInput(reason::kGenesis, "/predicateType",
                       "a genesis stands at index 0 and nowhere else");
  }
  // Genesis is the event that gives its own signer authority.
  const EventIndex authority = first ? EventIndex(0) : ring_.Latest(said.signer);
  if (said.authority == authority) return absl::OkStatus();
  return RefuseInput(reason::kAuthority, "/authority",
                     Concat("the latest key event about the signer is ", authority.value(),
                            ", the leaf says ", said.authority.value()));
}

absl::Status Replay::CheckRoleOf(const Said& said, Role least) const {
  STELE_RETURN_IF_ERROR(ring_.CheckRole(said.signer, least));
  if (ring_.RoleOf(said.signer) != Role::kGuest || OpenAttestations()) return absl::OkStatus();
  return RefuseRole(reason::kPolicyClosed, "guests may not speak while the policy is closed");
}

absl::Status Replay::CheckAfter(EventIndex after, EventIndex latest) const {
  if (after == latest || !rules_.after) return absl::OkStatus();
  return Refuse(
      absl::StatusCode::kAborted, reason::kStaleAfter, "/predicate/after",
      Concat("the latest event is ", latest.value(), ", the statement names ", after.value()));
}

// Rule 16.
absl::Status Replay::CheckIntroduction(const KeyId& signer, const KeyId& subject) const {
  if (signer != subject) return RefuseRole(reason::kRole, "a key introduces itself and no other");
  if (!OpenAttestations()) {
    return RefuseRole(reason::kPolicyClosed, "the policy is closed to guests");
  }
  if (ring_.Latest(subject) == kNoEvent) return absl::OkStatus();
  return RefuseState(reason::kKeyKnown, "/predicate/key", "the log has an event about this key");
}

// Role, `after`, then the type's own conditions.
absl::Status Replay::CheckFamily(const Said& said) const {
  const Statement& statement = said.statement;
  if (const auto* grant = std::get_if<KeyGrant>(&statement.predicate)) {
    return ring_.CheckGrant(said.index, said.signer, *grant);
  }
  if (const auto* revoke = std::get_if<KeyRevoke>(&statement.predicate)) {
    return ring_.CheckRevoke(said.index, said.signer, statement.subjects.front().digest, *revoke);
  }
  if (const auto* introduction = std::get_if<KeyIntroduction>(&statement.predicate)) {
    return CheckIntroduction(said.signer, introduction->key.id());
  }
  STELE_RETURN_IF_ERROR(CheckRoleOf(said, WeakestFor(statement.type)));
  return CheckOwn(said);
}

absl::Status Replay::CheckOwn(const Said& said) const {
  const Statement& statement = said.statement;
  switch (statement.type) {
    case StatementType::kPolicy:
      return CheckAfter(std::get<Policy>(statement.predicate).after, policy_.Latest(entries_));
    case StatementType::kWithholding: {
      const std::optional<DigestTable::Id> digest =
          digests_.Find(statement.subjects.front().digest);
      return CheckAfter(std::get<Withholding>(statement.predicate).after,
                        withholdings_.Latest(entries_, digest));
    }
    case StatementType::kLogKey:
      return log_keys_.Check(entries_, said.index, std::get<LogKey>(statement.predicate));
    case StatementType::kVerification:
    case StatementType::kReproduction:
    case StatementType::kNote:
      return CheckRecords(said);
    case StatementType::kRetraction:
      STELE_RETURN_IF_ERROR(CheckRecords(said));
      return CheckRetraction(said);
    case StatementType::kForeign:
      return CheckStored(said);
    default:
      return absl::OkStatus();
  }
}

// Rule 13.
absl::Status Replay::CheckRecords(const Said& said) const {
  const std::vector<Subject>& subjects = said.statement.subjects;
  for (size_t i = 0; i < subjects.size(); ++i) {
    if (!About(subjects[i].digest) || records_.IsPublished(subjects[i].digest)) continue;
    return RefuseState(
        reason::kUnknownSubject, Concat("/subject/", i),
        Concat("the record ", subjects[i].digest.ToText(), " was not published below"));
  }
  return absl::OkStatus();
}

// Rule 14: one of the subjects of a foreign statement is enough.
absl::Status Replay::CheckStored(const Said& said) const {
  const std::vector<Subject>& subjects = said.statement.subjects;
  const bool fine = std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) {
    return !About(subject.digest) || records_.IsStored(subject.digest);
  });
  if (fine) return absl::OkStatus();
  return RefuseState(reason::kUnknownSubject, "/subject", "no subject is stored below");
}

// Rule 25. The role is checked by now.
absl::Status Replay::CheckRetraction(const Said& said) const {
  if (ring_.RoleOf(said.signer) == Role::kOperator) return absl::OkStatus();
  const DigestTable::Id signer = *digests_.Find(said.signer);
  const std::vector<Subject>& subjects = said.statement.subjects;
  for (size_t i = 0; i < subjects.size(); ++i) {
    const Digest& record = subjects[i].digest;
    if (!About(record) || records_.IsPublishedBy(record, signer)) continue;
    return Refuse(absl::StatusCode::kPermissionDenied, reason::kNotOwner, Concat("/subject/", i),
                  Concat("the signer has no publication that counts of ", record.ToText()));
  }
  return absl::OkStatus();
}

}  // namespace stele
