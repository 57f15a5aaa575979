#include "core/statement/statement.h"

#include <array>
#include <utility>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/crypto/sha256.h"
#include "core/json/canonical.h"
#include "core/json/parse.h"
#include "core/statement/predicates.h"
#include "core/statement/subjects.h"
#include "core/statement/types.h"

namespace stele {
namespace {

void CheckVersion(const JsonReader& root) {
  const JsonReader type = root.At("_type");
  if (type.String() != kStatementType) type.Fail(reason::kWrongValue, kStatementType);
}

// The digest that the one subject must have, where predicate or log name it.
std::optional<Digest> NamedSubject(const Statement& statement) {
  if (RowOf(statement.type).subject == Subject::Kind::kOrigin) return Sha256(statement.log);
  if (const auto* grant = std::get_if<KeyGrant>(&statement.predicate)) return grant->key.id();
  if (const auto* intro = std::get_if<KeyIntroduction>(&statement.predicate)) {
    return intro->key.id();
  }
  return std::nullopt;
}

size_t MaxSubjects(const StatementTypeRow& row, const Predicate& predicate) {
  const auto* retraction = std::get_if<Retraction>(&predicate);
  const bool one = row.one_subject || (retraction != nullptr && retraction->superseded_by);
  return one ? 1 : limits::kSubjects;
}

void ReadOwn(const JsonReader& root, const StatementTypeRow& row, std::string_view origin,
             Statement& statement) {
  root.Members({"_type", "predicate", "predicateType", "subject"});
  CheckVersion(root);
  const JsonReader object = root.At("predicate");
  std::optional<Predicate> predicate = ReadPredicate(row.type, object, origin);
  if (!predicate) return;
  statement.type = row.type;
  statement.log = origin;
  statement.predicate = *std::move(predicate);
  const JsonReader array = root.At("subject");
  statement.subjects = ReadSubjects(array, row, MaxSubjects(row, statement.predicate));
  if (!root.ok()) return;
  const std::optional<Digest> named = NamedSubject(statement);
  if (!named || *named == statement.subjects.front().digest) return;
  const JsonReader first = array.At(0);
  const JsonReader digest = first.At("digest");
  digest.At("sha256").Fail(reason::kSubjectMismatch, "is not what the predicate names");
}

void ReadForeign(const JsonReader& root, Statement& statement) {
  root.Require({"_type", "subject"});
  CheckVersion(root);
  root.At("predicateType").Text(limits::kPredicateTypeBytes);
  statement.subjects = ReadForeignSubjects(root.At("subject"));
  statement.predicate = Foreign{};
}

}  // namespace

void ReadLog(const JsonReader& object, std::string_view origin) {
  const JsonReader log = object.At("log");
  if (log.String() != origin) log.Fail(reason::kWrongLog, "is another log than this");
}

std::optional<Predicate> ReadPredicate(StatementType type, const JsonReader& object,
                                       std::string_view origin) {
  using Read = std::optional<Predicate> (*)(const JsonReader&, std::string_view);
  // In the order of StatementType.
  static constexpr std::array<Read, 12> kReaders = {
      ReadGenesis,         ReadKeyGrant,    ReadKeyRevoke,    ReadLogKey,       ReadPolicy,
      ReadKeyIntroduction, ReadPublication, ReadVerification, ReadReproduction, ReadNote,
      ReadRetraction,      ReadWithholding};
  return kReaders.at(static_cast<size_t>(type))(object, origin);
}

absl::StatusOr<Statement> ParseStatement(std::string_view payload, std::string_view origin) {
  STELE_ASSIGN_OR_RETURN(const json::Value value,
                         json::Parse(payload, {.max_bytes = limits::kPayloadBytes}));
  absl::Status fault;
  const JsonReader root(value, fault);
  root.Require({"predicateType"});
  Statement statement;
  statement.predicate_type = root.At("predicateType").String();
  if (!fault.ok()) return fault;
  const StatementTypeRow* row = FindStatementType(statement.predicate_type);
  if (row != nullptr) {
    if (json::Canonical(value) != payload) {
      return RefuseInput(reason::kNotCanonical, "", "the payload is not its own RFC 8785 form");
    }
    ReadOwn(root, *row, origin, statement);
  } else if (IsReservedType(statement.predicate_type)) {
    root.At("predicateType").Fail(reason::kUnknownType, "format 1 has no such type");
  } else {
    ReadForeign(root, statement);
  }
  if (!fault.ok()) return fault;
  return statement;
}

}  // namespace stele
