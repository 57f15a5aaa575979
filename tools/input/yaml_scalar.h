// Scalars of YAML's 1.2 core schema as JSON tokens. Pure.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace stele::tools {

// What a plain (unquoted) scalar stands for: `null`, a boolean, a number, or else a JSON string. A
// number becomes a JSON literal of the same value, so that the number rule of formats §2 decides
// about it: 0x and 0o become decimal, signs, leading zeros and bare points are written as JSON has
// them. Refused: `.inf` and `.nan` (WRONG_VALUE), hexadecimal and octal beyond 64 bits
// (INTEGER_PRECISION).
absl::StatusOr<std::string> PlainScalarToJson(std::string_view text);

// Does the plain scalar stand for a string?
bool PlainScalarIsString(std::string_view text);

}  // namespace stele::tools
