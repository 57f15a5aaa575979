// The table of Stele's predicate types (formats §4): one row a type.
#pragma once

#include <optional>
#include <string_view>

#include "absl/types/span.h"
#include "core/statement/statement.h"

namespace stele {

inline constexpr std::string_view kStatementType = "https://in-toto.io/Statement/v1";

struct StatementTypeRow {
  StatementType type;
  std::string_view name;            // "key-grant"
  std::string_view predicate_type;  // "urn:stele:predicate:key-grant:v1"
  bool detached;                    // always logged detached
  Subject::Kind subject;            // of all subjects; kRecord in a publication: or artifacts
  bool one_subject;
};

// The rows of Stele's own types, in the order of StatementType; kForeign has none.
absl::Span<const StatementTypeRow> StatementTypes();
const StatementTypeRow& RowOf(StatementType type);  // not kForeign
const StatementTypeRow* FindStatementType(
    std::string_view predicate_type);  // null: not one of ours

// Begins "urn:stele:" in any case: a type that only a format may define.
bool IsReservedType(std::string_view predicate_type);

}  // namespace stele
