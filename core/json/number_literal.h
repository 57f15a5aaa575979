// Number literals: the JSON grammar, and the rule which of them keep their value as a double.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/json/first_fault.h"

namespace stele::json {

struct NumberLiteral {
  size_t length = 0;     // bytes; 0 if the text does not begin with a number
  bool integer = false;  // neither fraction nor exponent
  bool zero = true;      // every digit before the exponent is 0
};

// The longest number that `text` begins with.
NumberLiteral MatchNumber(std::string_view text);

// Its nearest double (ties to even, never negative zero). Refuses an integer literal beyond
// ±(2^53−1) that is not the RFC 8785 form of its double; of the others, overflow and underflow.
// `text` is exactly the literal.
Fault ConvertNumber(std::string_view text, const NumberLiteral& literal, double& number);

}  // namespace stele::json
