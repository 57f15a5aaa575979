// The subjects of a payload (formats §4, rules 11 and 14).
#pragma once

#include <vector>

#include "core/statement/json_reader.h"
#include "core/statement/types.h"

namespace stele {

// Of one of Stele's own types; at most `max`. SUBJECT_COUNT, SUBJECT_KIND, DUPLICATE_SUBJECT and
// the faults of members.
std::vector<Subject> ReadSubjects(const JsonReader& array, const StatementTypeRow& row, size_t max);

// Of a foreign type: those with a readable sha256, at least one (UNKNOWN_SUBJECT).
std::vector<Subject> ReadForeignSubjects(const JsonReader& array);

}  // namespace stele
