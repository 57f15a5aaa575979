// RFC 8785 (JCS): the one byte form of a value. Numbers in ECMAScript form (double-conversion),
// shortest escapes, members by UTF-16 code units, no white space.
#pragma once

#include <string>
#include <string_view>

#include "core/json/value.h"

namespace stele::json {

std::string Canonical(const Value& value);
void AppendCanonical(const Value& value, std::string& out);

// The pieces, for code that writes known shapes without building a Value.
void AppendCanonicalString(std::string_view utf8, std::string& out);  // with quotes
void AppendCanonicalNumber(double number, std::string& out);          // finite
// RFC 8785 order of two member names.
bool CanonicalLess(std::string_view a, std::string_view b);

}  // namespace stele::json
