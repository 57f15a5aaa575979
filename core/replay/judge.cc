#include "core/replay/judge.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

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

class Judge {
 public:
  Judge(const LogBelow& below, const ReplayRules& rules, const Act& act)
      : below_(below),
        ring_(below.ring()),
        events_(below.events()),
        rules_(rules),
        act_(act),
        statement_(act.statement) {}

  absl::Status Run() const {
    if (statement_.type == StatementType::kGenesis) return absl::OkStatus();
    if (const auto* grant = std::get_if<KeyGrant>(&statement_.predicate)) {
      return ring_.CheckGrant(act_.index, act_.signer, *grant);
    }
    if (const auto* revoke = std::get_if<KeyRevoke>(&statement_.predicate)) {
      return ring_.CheckRevoke(act_.index, act_.signer, statement_.subjects.front().digest,
                               *revoke);
    }
    if (const auto* introduction = std::get_if<KeyIntroduction>(&statement_.predicate)) {
      return CheckIntroduction(introduction->key.id());
    }
    STELE_RETURN_IF_ERROR(CheckRole());
    return CheckOwn();
  }

 private:
  bool PolicyOpen() const { return events_.OpenAttestations(ring_); }
  bool About(const Digest& record) const {
    return !rules_.about_record || rules_.about_record(record);
  }

  absl::Status CheckRole() const {
    STELE_RETURN_IF_ERROR(ring_.CheckRole(act_.signer, WeakestFor(statement_.type)));
    if (ring_.RoleOf(act_.signer) != Role::kGuest || PolicyOpen()) return absl::OkStatus();
    return RefuseRole(reason::kPolicyClosed, "guests may not speak while the policy is closed");
  }

  // Rule 16.
  absl::Status CheckIntroduction(const KeyId& subject) const {
    if (act_.signer != subject) {
      return RefuseRole(reason::kRole, "a key introduces itself and no other");
    }
    if (!PolicyOpen()) {
      return RefuseRole(reason::kPolicyClosed, "the policy is closed to guests");
    }
    if (ring_.Latest(subject) == kNoEvent) return absl::OkStatus();
    return RefuseState(reason::kKeyKnown, "/predicate/key", "the log has an event about this key");
  }

  absl::Status CheckAfter(EventIndex after, EventIndex latest) const {
    if (after == latest || !rules_.after) return absl::OkStatus();
    return Refuse(
        absl::StatusCode::kAborted, reason::kStaleAfter, "/predicate/after",
        Concat("the latest event is ", latest.value(), ", the statement names ", after.value()));
  }

  absl::Status CheckOwn() const {
    switch (statement_.type) {
      case StatementType::kPolicy:
        return CheckAfter(std::get<Policy>(statement_.predicate).after,
                          events_.LatestPolicy(ring_));
      case StatementType::kWithholding:
        return CheckAfter(std::get<Withholding>(statement_.predicate).after,
                          events_.LatestWithholding(ring_, statement_.subjects.front().digest));
      case StatementType::kLogKey:
        return events_.CheckLogKey(ring_, act_.index, std::get<LogKey>(statement_.predicate));
      case StatementType::kVerification:
      case StatementType::kReproduction:
      case StatementType::kNote:
        return CheckRecords();
      case StatementType::kRetraction:
        STELE_RETURN_IF_ERROR(CheckRecords());
        return CheckRetraction();
      case StatementType::kForeign:
        return CheckStored();
      default:
        return absl::OkStatus();
    }
  }

  // Rule 13.
  absl::Status CheckRecords() const {
    const std::vector<Subject>& subjects = statement_.subjects;
    for (size_t i = 0; i < subjects.size(); ++i) {
      if (!About(subjects[i].digest) || below_.IsPublished(subjects[i].digest)) continue;
      return RefuseState(
          reason::kUnknownSubject, Concat("/subject/", i),
          Concat("the record ", subjects[i].digest.ToText(), " was not published below"));
    }
    return absl::OkStatus();
  }

  // Rule 14: one of the subjects of a foreign statement is enough.
  absl::Status CheckStored() const {
    const std::vector<Subject>& subjects = statement_.subjects;
    const bool fine = std::any_of(subjects.begin(), subjects.end(), [&](const Subject& subject) {
      return !About(subject.digest) || below_.IsStored(subject.digest);
    });
    if (fine) return absl::OkStatus();
    return RefuseState(reason::kUnknownSubject, "/subject", "no subject is stored below");
  }

  // Rule 25. The role is checked by now.
  absl::Status CheckRetraction() const {
    if (ring_.RoleOf(act_.signer) == Role::kOperator) return absl::OkStatus();
    const std::vector<Subject>& subjects = statement_.subjects;
    for (size_t i = 0; i < subjects.size(); ++i) {
      const Digest& record = subjects[i].digest;
      if (!About(record) || below_.IsPublishedBy(record, act_.signer)) continue;
      return Refuse(absl::StatusCode::kPermissionDenied, reason::kNotOwner, Concat("/subject/", i),
                    Concat("the signer has no publication that counts of ", record.ToText()));
    }
    return absl::OkStatus();
  }

  const LogBelow& below_;
  const KeyRing& ring_;
  const LogEvents& events_;
  const ReplayRules& rules_;
  const Act& act_;
  const Statement& statement_;
};

}  // namespace

bool BringsOwnKey(const Act& act) {
  if (const auto* introduction = std::get_if<KeyIntroduction>(&act.statement.predicate)) {
    return introduction->key.id() == act.signer;
  }
  const auto* genesis = std::get_if<Genesis>(&act.statement.predicate);
  return genesis != nullptr && act.index == EntryIndex(0) &&
         genesis->operator_key.id() == act.signer;
}

absl::Status CheckKeyKnown(const KeyRing& ring, const KeyId& signer, bool own_key) {
  if (own_key || ring.FindKey(signer) != nullptr) return absl::OkStatus();
  return Refuse(absl::StatusCode::kNotFound, reason::kUnknownKey, "",
                Concat("this log knows no key ", signer.ToText(),
                       "; an operator grants it a role first (stele key grant), or it introduces "
                       "itself as a guest's"));
}

absl::Status CheckPlace(EntryIndex index, StatementType type) {
  if ((type == StatementType::kGenesis) == (index == EntryIndex(0))) return absl::OkStatus();
  return RefuseInput(reason::kGenesis, "/predicateType",
                     "a genesis stands at index 0 and nowhere else");
}

EventIndex AuthorityOf(const KeyRing& ring, const KeyId& signer, EntryIndex index) {
  // Genesis is the event that gives its own signer authority.
  return index == EntryIndex(0) ? EventIndex(0) : ring.Latest(signer);
}

absl::Status JudgeAct(const LogBelow& below, const ReplayRules& rules, const Act& act) {
  return Judge(below, rules, act).Run();
}

SubjectQuestion QuestionOf(StatementType type) {
  switch (type) {
    case StatementType::kVerification:
    case StatementType::kReproduction:
    case StatementType::kNote:
    case StatementType::kRetraction:
      return SubjectQuestion::kPublished;
    case StatementType::kForeign:
      return SubjectQuestion::kStored;
    default:
      return SubjectQuestion::kNone;
  }
}

}  // namespace stele
