// The predicate objects of Stele's own types: members, `log`, then the other members in the order
// of the table of formats §4.
#pragma once

#include <optional>
#include <string_view>

#include "core/statement/json_reader.h"
#include "core/statement/statement.h"

namespace stele {

// Nothing exactly if the reader has a fault. Not for kForeign.
std::optional<Predicate> ReadPredicate(StatementType type, const JsonReader& object,
                                       std::string_view origin);

// One function a type, in key_predicates.cc and record_predicates.cc.
std::optional<Predicate> ReadGenesis(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadKeyGrant(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadKeyRevoke(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadLogKey(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadPolicy(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadKeyIntroduction(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadPublication(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadVerification(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadReproduction(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadNote(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadRetraction(const JsonReader& object, std::string_view origin);
std::optional<Predicate> ReadWithholding(const JsonReader& object, std::string_view origin);

// WRONG_LOG if `log` is not `origin`.
void ReadLog(const JsonReader& object, std::string_view origin);

}  // namespace stele
