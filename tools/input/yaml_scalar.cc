#include "tools/input/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/json/canonical.h"

namespace stele::tools {
namespace {

template <size_t N>
bool IsOneOf(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

constexpr std::array<std::string_view, 5> kNull{"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> kTrue{"true", "True", "TRUE"};
constexpr std::array<std::string_view, 3> kFalse{"false", "False", "FALSE"};
constexpr std::array<std::string_view, 3> kInf{".inf", ".Inf", ".INF"};
constexpr std::array<std::string_view, 3> kNan{".nan", ".NaN", ".NAN"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view TakeDigits(std::string_view& text) {
  size_t n = 0;
  while (n < text.size() && IsDigit(text[n])) ++n;
  std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

bool TakeSign(std::string_view& text) {
  if (!text.starts_with('-') && !text.starts_with('+')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? as a JSON literal; empty if it is none.
std::string Decimal(std::string_view text) {
  const bool negative = TakeSign(text);
  std::string_view whole = TakeDigits(text);
  std::string_view fraction;
  const bool point = text.starts_with('.');
  if (point) {
    text.remove_prefix(1);
    fraction = TakeDigits(text);
  }
  if (whole.empty() && fraction.empty()) return {};
  std::string exponent;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    exponent = TakeSign(text) ? "e-" : "e";
    const std::string_view digits = TakeDigits(text);
    if (digits.empty()) return {};
    exponent.append(digits);
  }
  if (!text.empty()) return {};
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  std::string literal = Concat(negative ? "-" : "", whole.empty() ? "0" : whole);
  if (point) literal.append(".").append(fraction.empty() ? "0" : fraction);
  return literal.append(exponent);
}

// 0x… or 0o… in decimal; nothing if the text is neither.
absl::StatusOr<std::string> OtherBase(std::string_view text) {
  const int base = text.starts_with("0x") ? 16 : text.starts_with("0o") ? 8 : 0;
  const std::string_view digits = base == 0 ? std::string_view() : text.substr(2);
  if (digits.empty() || digits.front() == '-') return std::string();
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (end != digits.data() + digits.size()) return std::string();
  if (error == std::errc::result_out_of_range) {
    return RefuseInput(reason::kIntegerPrecision, "",
                       Concat(text, " is beyond the integers that JSON keeps"));
  }
  return std::to_string(value);
}

// The JSON token of what is no string; empty for strings.
absl::StatusOr<std::string> NonString(std::string_view text) {
  if (IsOneOf(text, kNull)) return std::string("null");
  if (IsOneOf(text, kTrue)) return std::string("true");
  if (IsOneOf(text, kFalse)) return std::string("false");
  std::string_view magnitude = text;
  TakeSign(magnitude);
  if (IsOneOf(magnitude, kInf) || IsOneOf(text, kNan)) {
    return RefuseInput(reason::kWrongValue, "", Concat(text, " is not a number of JSON"));
  }
  std::string number = Decimal(text);
  if (!number.empty()) return number;
  return OtherBase(text);
}

}  // namespace

absl::StatusOr<std::string> PlainScalarToJson(std::string_view text) {
  absl::StatusOr<std::string> token = NonString(text);
  if (!token.ok() || !token->empty()) return token;
  std::string quoted;
  json::AppendCanonicalString(text, quoted);
  return quoted;
}

bool PlainScalarIsString(std::string_view text) {
  absl::StatusOr<std::string> token = NonString(text);
  return token.ok() && token->empty();
}

}  // namespace stele::tools
