#include "core/json/string_literal.h"

#include <cstdint>
#include <optional>

#include "core/json/plain_run.h"

namespace stele::json {
namespace {

// Past the plain text from `at` on: it ends at a quote, a backslash, a control, or where a
// noncharacter may stand.
size_t SkipPlain(std::string_view text, size_t at) {
  return PlainRunEnd(
      text, at, [](unsigned char c) { return IsQuoteSlashOrControl(c) || IsLongLead(c); },
      [](uint64_t word) { return QuoteSlashOrControl(word) | LongLead(word); });
}

bool IsNoncharacter(uint32_t point) {
  return (point >= 0xFDD0 && point <= 0xFDEF) || (point & 0xFFFE) == 0xFFFE;
}

// The code point of a valid sequence that begins with 0xEF or above.
uint32_t LongCodePoint(std::string_view text, size_t bytes) {
  auto low = [&](size_t i) { return static_cast<uint32_t>(text[i] & 0x3F); };
  if (bytes == 3) return static_cast<uint32_t>(text[0] & 0x0F) << 12 | low(1) << 6 | low(2);
  return static_cast<uint32_t>(text[0] & 0x07) << 18 | low(1) << 12 | low(2) << 6 | low(3);
}

void AppendUtf8(uint32_t point, std::string& out) {
  auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      put(0xE0 | point >> 12);
    } else {
      put(0xF0 | point >> 18);
      put(0x80 | (point >> 12 & 0x3F));
    }
    put(0x80 | (point >> 6 & 0x3F));
  }
  put(0x80 | (point & 0x3F));
}

// The four hex digits of `\uXXXX`, if that is what `text` begins with.
std::optional<uint32_t> UnicodeEscape(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  uint32_t unit = 0;
  for (char c : text.substr(2, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9') {
      unit = unit << 4 | static_cast<uint32_t>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      unit = unit << 4 | static_cast<uint32_t>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return unit;
}

Fault ReadUnicodeEscape(std::string_view text, std::string& out, size_t& length) {
  std::optional<uint32_t> unit = UnicodeEscape(text);
  if (!unit) return Fault::kSyntax;
  uint32_t point = *unit;
  length = 6;
  if (point >= 0xD800 && point <= 0xDFFF) {
    std::optional<uint32_t> low;
    if (point < 0xDC00) low = UnicodeEscape(text.substr(6));
    if (!low || *low < 0xDC00 || *low > 0xDFFF) return Fault::kLoneSurrogate;
    point = 0x10000 + ((point - 0xD800) << 10 | (*low - 0xDC00));
    length = 12;
  }
  if (IsNoncharacter(point)) return Fault::kNoncharacter;
  AppendUtf8(point, out);
  return Fault::kNone;
}

// `text` begins with a backslash.
Fault ReadEscape(std::string_view text, std::string& out, size_t& length) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kValues = "\"\\/\b\f\n\r\t";
  if (text.size() < 2) return Fault::kSyntax;
  if (text[1] == 'u') return ReadUnicodeEscape(text, out, length);
  const size_t which = kNames.find(text[1]);
  if (which == kNames.npos) return Fault::kSyntax;
  out.push_back(kValues[which]);
  length = 2;
  return Fault::kNone;
}

// `text` begins with a stop that is neither quote nor backslash.
Fault ReadLongCharacter(std::string_view text, std::string& out, size_t& length) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x20) return Fault::kSyntax;
  length = lead < 0xF0 ? 3 : 4;
  if (IsNoncharacter(LongCodePoint(text, length))) return Fault::kNoncharacter;
  out.append(text.substr(0, length));
  return Fault::kNone;
}

}  // namespace

Fault ReadString(std::string_view text, std::string& out, size_t& length) {
  out.clear();
  size_t at = 0;
  while (true) {
    const size_t run = at;
    at = SkipPlain(text, at);
    out.append(text, run, at - run);
    if (at == text.size()) return Fault::kSyntax;
    if (text[at] == '"') break;
    size_t used = 0;
    const std::string_view rest = text.substr(at);
    Fault fault =
        text[at] == '\\' ? ReadEscape(rest, out, used) : ReadLongCharacter(rest, out, used);
    if (fault != Fault::kNone) return fault;
    at += used;
  }
  length = at + 1;
  return Fault::kNone;
}

}  // namespace stele::json
