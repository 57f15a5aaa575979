// String literals: unescaping, and the code points that I-JSON does not allow.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/json/first_fault.h"

namespace stele::json {

// Reads a string whose opening quote has been read: `text` is what follows, valid UTF-8. On success
// `out` is the string and `length` what was read of `text`, the closing quote included. Otherwise
// the first fault in it: syntax, a lone surrogate or a noncharacter.
Fault ReadString(std::string_view text, std::string& out, size_t& length);

}  // namespace stele::json
