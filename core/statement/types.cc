#include "core/statement/types.h"

#include <array>

#include "absl/strings/match.h"

namespace stele {
namespace {

using Type = StatementType;
using Kind = Subject::Kind;

constexpr std::array<StatementTypeRow, 12> kRows = {{
    {Type::kGenesis, "genesis", "urn:stele:predicate:genesis:v1", false, Kind::kOrigin, true},
    {Type::kKeyGrant, "key-grant", "urn:stele:predicate:key-grant:v1", false, Kind::kKey, true},
    {Type::kKeyRevoke, "key-revoke", "urn:stele:predicate:key-revoke:v1", false, Kind::kKey, true},
    {Type::kLogKey, "log-key", "urn:stele:predicate:log-key:v1", false, Kind::kOrigin, true},
    {Type::kPolicy, "policy", "urn:stele:predicate:policy:v1", false, Kind::kOrigin, true},
    {Type::kKeyIntroduction, "key-introduction", "urn:stele:predicate:key-introduction:v1", false,
     Kind::kKey, true},
    {Type::kPublication, "publication", "urn:stele:predicate:publication:v1", false, Kind::kRecord,
     false},
    {Type::kVerification, "verification", "urn:stele:predicate:verification:v1", false,
     Kind::kRecord, true},
    {Type::kReproduction, "reproduction", "urn:stele:predicate:reproduction:v1", true,
     Kind::kRecord, false},
    {Type::kNote, "note", "urn:stele:predicate:note:v1", true, Kind::kRecord, false},
    {Type::kRetraction, "retraction", "urn:stele:predicate:retraction:v1", false, Kind::kRecord,
     false},
    {Type::kWithholding, "withholding", "urn:stele:predicate:withholding:v1", false, Kind::kAny,
     true},
}};

constexpr std::array<std::string_view, 6> kRoleNames = {"operator", "runner", "publisher",
                                                        "attester", "guest",  "recovery"};

}  // namespace

absl::Span<const StatementTypeRow> StatementTypes() { return kRows; }

const StatementTypeRow& RowOf(StatementType type) { return kRows.at(static_cast<size_t>(type)); }

const StatementTypeRow* FindStatementType(std::string_view predicate_type) {
  for (const StatementTypeRow& row : kRows) {
    if (row.predicate_type == predicate_type) return &row;
  }
  return nullptr;
}

bool IsReservedType(std::string_view predicate_type) {
  return absl::StartsWithIgnoreCase({predicate_type.data(), predicate_type.size()}, "urn:stele:");
}

std::string_view StatementTypeName(StatementType type) {
  return type == StatementType::kForeign ? "foreign" : RowOf(type).name;
}

std::string_view PredicateTypeOf(StatementType type) {
  return type == StatementType::kForeign ? "" : RowOf(type).predicate_type;
}

bool AlwaysDetached(StatementType type) {
  return type == StatementType::kForeign || RowOf(type).detached;
}

std::string_view RoleName(Role role) { return kRoleNames.at(static_cast<size_t>(role)); }

std::optional<Role> ParseGrantableRole(std::string_view name) {
  for (Role role : {Role::kOperator, Role::kRunner, Role::kPublisher, Role::kAttester}) {
    if (RoleName(role) == name) return role;
  }
  return std::nullopt;
}

}  // namespace stele
