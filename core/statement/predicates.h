// The predicate objects of Stele's own types: members, `log`, then the other members in the order
// of the table of formats §4.
#pragma once

#include <optional>
#include <string_view>

#include "core/statement/reader.h"
#include "core/statement/statement.h"

namespace stele {

// Nothing exactly if the reader has a fault. Not for kForeign.
std::optional<Predicate> ReadPredicate(StatementType type, const Reader& object,
                                       std::string_view origin);

// One function a type, in key_predicates.cc and record_predicates.cc.
std::optional<Predicate> ReadGenesis(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadKeyGrant(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadKeyRevoke(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadLogKey(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadPolicy(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadKeyIntroduction(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadPublication(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadVerification(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadReproduction(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadNote(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadRetraction(const Reader& object, std::string_view origin);
std::optional<Predicate> ReadWithholding(const Reader& object, std::string_view origin);

// WRONG_LOG if `log` is not `origin`.
void ReadLog(const Reader& object, std::string_view origin);

}  // namespace stele
