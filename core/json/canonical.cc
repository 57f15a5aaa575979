#include "core/json/canonical.h"

#include <double-conversion/double-conversion.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/base/limits.h"
#include "core/json/plain_run.h"

namespace stele::json {
namespace {

constexpr int kNumberBytes = 32;  // more than the longest ECMAScript number

void AppendEscape(char c, std::string& out) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  constexpr std::string_view kLetters = "\"\\bfnrt";
  constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('\\');
  if (size_t which = kNamed.find(c); which != kNamed.npos) {
    out.push_back(kLetters[which]);
    return;
  }
  out.append("u00");
  out.push_back(kHex[static_cast<size_t>(c >> 4)]);
  out.push_back(kHex[static_cast<size_t>(c & 15)]);
}

// Rank of a UTF-8 byte in UTF-16 order: code points from U+10000 (lead bytes F0 to F4) are
// surrogates there and come before U+E000 to U+FFFF (lead bytes EE and EF).
int Utf16Rank(char c) {
  const int byte = static_cast<unsigned char>(c);
  return byte == 0xEE || byte == 0xEF ? byte + 0x100 : byte;
}

void AppendArray(const Array& array, std::string& out) {
  out.push_back('[');
  bool first = true;
  for (const Value& value : array) {
    if (!first) out.push_back(',');
    first = false;
    AppendCanonical(value, out);
  }
  out.push_back(']');
}

void AppendObject(const Object& object, std::string& out) {
  out.push_back('{');
  bool first = true;
  for (const auto& [name, value] : object.members) {
    if (!first) out.push_back(',');
    first = false;
    AppendCanonicalString(name, out);
    out.push_back(':');
    AppendCanonical(value, out);
  }
  out.push_back('}');
}

}  // namespace

std::string Canonical(const Value& value) {
  std::string out;
  AppendCanonical(value, out);
  return out;
}

void AppendCanonical(const Value& value, std::string& out) {
  if (const std::string* string = value.string()) return AppendCanonicalString(*string, out);
  if (const double* number = value.number()) return AppendCanonicalNumber(*number, out);
  if (const Object* object = value.object()) return AppendObject(*object, out);
  if (const Array* array = value.array()) return AppendArray(*array, out);
  if (const bool* boolean = value.boolean()) {
    out.append(*boolean ? "true" : "false");
    return;
  }
  out.append("null");
}

void AppendCanonicalString(std::string_view utf8, std::string& out) {
  out.push_back('"');
  for (size_t at = 0;; ++at) {
    const size_t run = at;
    at = PlainRunEnd(utf8, at, IsQuoteSlashOrControl, QuoteSlashOrControl);
    out.append(utf8, run, at - run);
    if (at == utf8.size()) break;
    AppendEscape(utf8[at], out);
  }
  out.push_back('"');
}

void AppendCanonicalNumber(double number, std::string& out) {
  char text[kNumberBytes];
  if (number == std::trunc(number) &&
      std::fabs(number) <= static_cast<double>(limits::kMaxInteger)) {
    // Also where negative zero becomes 0.
    auto end = std::to_chars(text, text + kNumberBytes, static_cast<int64_t>(number)).ptr;
    out.append(text, end);
    return;
  }
  double_conversion::StringBuilder builder(text, kNumberBytes);
  double_conversion::DoubleToStringConverter::EcmaScriptConverter().ToShortest(number, &builder);
  const int length = builder.position();
  out.append(builder.Finalize(), static_cast<size_t>(length));
}

bool CanonicalLess(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    if (a[i] != b[i]) return Utf16Rank(a[i]) < Utf16Rank(b[i]);
  }
  return a.size() < b.size();
}

}  // namespace stele::json
