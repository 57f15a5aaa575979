#include "store/log/judge.h"

#include <string>

#include "core/base/refusal.h"

namespace stele::store {

absl::Status CheckKeyKnown(const KeyRing& ring, const Statement& statement, const KeyId& signer,
                           EntryIndex index) {
  if (ring.FindKey(signer) != nullptr) return absl::OkStatus();
  const auto* genesis = std::get_if<Genesis>(&statement.predicate);
  if (index.value() == 0 && genesis != nullptr && genesis->operator_key.id() == signer) {
    return absl::OkStatus();
  }
  return Refuse(absl::StatusCode::kNotFound, reason::kUnknownKey, "",
                "this log knows no key " + signer.ToText() +
                    "; an operator grants it a role first (stele key grant)");
}

absl::Status CheckTypeAdmitted(const Statement& statement) {
  switch (statement.type) {
    case StatementType::kKeyGrant:
    case StatementType::kKeyRevoke:
    case StatementType::kPublication:
      return absl::OkStatus();
    case StatementType::kGenesis:
      return RefuseInput(reason::kGenesis, "/predicateType",
                         "a genesis stands at index 0 and nowhere else");
    default:
      return Refuse(absl::StatusCode::kUnimplemented, reason::kTypeNotAdmitted, "/predicateType",
                    "this server does not take statements of type " + statement.predicate_type);
  }
}

absl::Status Judge(const KeyRing& ring, const Statement& statement, const KeyId& signer,
                   EntryIndex index) {
  if (statement.type == StatementType::kGenesis && index.value() == 0) return absl::OkStatus();
  if (absl::Status type = CheckTypeAdmitted(statement); !type.ok()) return type;
  if (const auto* grant = std::get_if<KeyGrant>(&statement.predicate)) {
    return ring.CheckGrant(index, signer, *grant);
  }
  if (const auto* revoke = std::get_if<KeyRevoke>(&statement.predicate)) {
    return ring.CheckRevoke(index, signer, statement.subjects.front().digest, *revoke);
  }
  return ring.CheckRole(signer, Role::kPublisher);
}

EventIndex AuthorityOf(const KeyRing& ring, const KeyId& signer, EntryIndex index) {
  // Genesis is the event that gives its own signer authority.
  return index.value() == 0 ? EventIndex{0} : ring.Latest(signer);
}

}  // namespace stele::store
