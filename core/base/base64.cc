#include "core/base/base64.h"

#include <array>
#include <cstdint>

namespace stele {
namespace {

constexpr char kStandard[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr char kUrlSafe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr uint8_t kNone = 0xff;

using Table = std::array<uint8_t, 256>;  // character to six bits, kNone elsewhere

constexpr Table MakeTable(const char (&alphabet)[65]) {
  Table table{};
  for (uint8_t& value : table) value = kNone;
  for (uint8_t i = 0; i < 64; ++i) table[static_cast<unsigned char>(alphabet[i])] = i;
  return table;
}

constexpr Table kStandardTable = MakeTable(kStandard);
constexpr Table kUrlSafeTable = MakeTable(kUrlSafe);

uint32_t Bits(const Table& table, char c) { return table[static_cast<unsigned char>(c)]; }

// Decodes `text`, already stripped of padding.
std::optional<std::string> DecodeUnpadded(std::string_view text, const Table& table) {
  const size_t tail = text.size() % 4;
  if (tail == 1) return std::nullopt;
  std::string out(text.size() / 4 * 3 + (tail == 0 ? 0 : tail - 1), '\0');
  char* to = out.data();
  const char* from = text.data();
  for (size_t group = text.size() / 4; group > 0; --group, from += 4) {
    uint32_t a = Bits(table, from[0]), b = Bits(table, from[1]);
    uint32_t c = Bits(table, from[2]), d = Bits(table, from[3]);
    if ((a | b | c | d) > 63) return std::nullopt;  // kNone has the two high bits set
    uint32_t word = a << 18 | b << 12 | c << 6 | d;
    *to++ = static_cast<char>(word >> 16);
    *to++ = static_cast<char>(word >> 8);
    *to++ = static_cast<char>(word);
  }
  if (tail == 0) return out;
  uint32_t word = 0;
  for (size_t i = 0; i < tail; ++i) {
    uint32_t bits = Bits(table, from[i]);
    if (bits > 63) return std::nullopt;
    word = word << 6 | bits;
  }
  const uint32_t spare = tail == 2 ? 4 : 2;
  if ((word & ((1u << spare) - 1)) != 0) return std::nullopt;
  word >>= spare;
  if (tail == 3) *to++ = static_cast<char>(word >> 8);
  *to = static_cast<char>(word);
  return out;
}

// Removes complete padding; nothing if the text of whole groups is not completely padded.
std::optional<std::string_view> StripPadding(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string Base64Encode(std::string_view bytes) {
  std::string out;
  Base64Append(bytes, out);
  return out;
}

void Base64Append(std::string_view bytes, std::string& out) {
  const size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4);
  char* to = out.data() + start;
  auto byte = [&](size_t i) { return uint32_t{static_cast<unsigned char>(bytes[i])}; };
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    uint32_t word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    *to++ = kStandard[word >> 18];
    *to++ = kStandard[word >> 12 & 63];
    *to++ = kStandard[word >> 6 & 63];
    *to++ = kStandard[word & 63];
  }
  const size_t rest = bytes.size() - i;
  if (rest == 0) return;
  uint32_t word = byte(i) << 16 | (rest == 2 ? byte(i + 1) << 8 : 0);
  *to++ = kStandard[word >> 18];
  *to++ = kStandard[word >> 12 & 63];
  *to++ = rest == 2 ? kStandard[word >> 6 & 63] : '=';
  *to = '=';
}

std::optional<std::string> Base64DecodeStrict(std::string_view text) {
  std::optional<std::string_view> digits = StripPadding(text);
  if (!digits) return std::nullopt;
  return DecodeUnpadded(*digits, kStandardTable);
}

std::optional<std::string> Base64DecodeInput(std::string_view text) {
  if (text.find('=') != text.npos) {
    std::optional<std::string_view> digits = StripPadding(text);
    if (!digits) return std::nullopt;
    text = *digits;
  }
  const bool url_safe = text.find('-') != text.npos || text.find('_') != text.npos;
  return DecodeUnpadded(text, url_safe ? kUrlSafeTable : kStandardTable);
}

}  // namespace stele
