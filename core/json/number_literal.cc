#include "core/json/number_literal.h"

#include <double-conversion/double-conversion.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "core/base/limits.h"
#include "core/json/canonical.h"

namespace stele::json {
namespace {

constexpr size_t kExactDigits = 15;  // any integer of so many digits is a double

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Past the digits that begin at `at`.
size_t SkipDigits(std::string_view text, size_t at, bool& zero) {
  while (at < text.size() && IsDigit(text[at])) zero &= text[at++] == '0';
  return at;
}

double NearestDouble(std::string_view text) {
  static const double_conversion::StringToDoubleConverter kConverter(
      double_conversion::StringToDoubleConverter::NO_FLAGS, 0.0, 0.0, nullptr, nullptr);
  int used = 0;
  return kConverter.StringToDouble(text.data(), static_cast<int>(text.size()), &used);
}

double SmallInteger(std::string_view text) {
  int64_t value = 0;
  const bool negative = text.front() == '-';
  for (char c : text.substr(negative ? 1 : 0)) value = value * 10 + (c - '0');
  return static_cast<double>(negative ? -value : value);
}

}  // namespace

NumberLiteral MatchNumber(std::string_view text) {
  NumberLiteral literal;
  size_t at = text.starts_with('-') ? 1 : 0;
  if (at == text.size() || !IsDigit(text[at])) return literal;
  literal.integer = true;
  if (text[at] == '0') {
    ++at;
  } else {
    at = SkipDigits(text, at, literal.zero);
  }
  if (at + 1 < text.size() && text[at] == '.' && IsDigit(text[at + 1])) {
    at = SkipDigits(text, at + 1, literal.zero);
    literal.integer = false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    size_t digits = at + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    if (digits < text.size() && IsDigit(text[digits])) {
      bool ignored = true;
      at = SkipDigits(text, digits, ignored);
      literal.integer = false;
    }
  }
  literal.length = at;
  return literal;
}

Fault ConvertNumber(std::string_view text, const NumberLiteral& literal, double& number) {
  if (literal.zero) {
    number = 0;
    return Fault::kNone;
  }
  if (literal.integer && text.size() <= kExactDigits) {
    number = SmallInteger(text);
    return Fault::kNone;
  }
  number = NearestDouble(text);
  if (!literal.integer) {
    if (std::isinf(number)) return Fault::kNumberOverflow;
    return number == 0 ? Fault::kNumberUnderflow : Fault::kNone;
  }
  // An integer too large for any double is a loss of precision too.
  if (std::isinf(number)) return Fault::kIntegerPrecision;
  if (std::fabs(number) > static_cast<double>(limits::kMaxInteger)) {
    std::string canonical;
    AppendCanonicalNumber(number, canonical);
    if (canonical != text) return Fault::kIntegerPrecision;
  }
  return Fault::kNone;
}

}  // namespace stele::json
