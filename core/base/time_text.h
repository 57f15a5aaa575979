// `YYYY-MM-DDThh:mm:ss.mmmZ`: the only time form in entries. Gregorian, years 0001 to 9999, no
// second 60 (formats §5, rule 31). Parse and format are inverse.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/strong_int.h"

namespace stele {

std::string FormatTime(TimeMs time);
std::optional<TimeMs> ParseTime(std::string_view text);

}  // namespace stele
