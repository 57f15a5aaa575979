// Finding the end of plain text eight bytes at a time. Internal to this folder: most bytes of most
// texts are in strings, and this is the loop over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace stele::json {

// Every byte of a word.
constexpr uint64_t Bytes(uint64_t byte) { return byte * 0x0101010101010101; }

constexpr bool IsQuoteSlashOrControl(unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; }
// May be zero only if no byte of the word is a quote, a backslash or a control.
constexpr uint64_t QuoteSlashOrControl(uint64_t word) {
  const uint64_t quote = word ^ Bytes('"');
  const uint64_t slash = word ^ Bytes('\\');
  return (((word - Bytes(0x20)) & ~word) | ((quote - Bytes(1)) & ~quote) |
          ((slash - Bytes(1)) & ~slash)) &
         Bytes(0x80);
}

// Lead bytes of the code points among which there are noncharacters.
constexpr bool IsLongLead(unsigned char c) { return c >= 0xEF; }
constexpr uint64_t LongLead(uint64_t word) {
  return word & ((word & Bytes(0x7F)) + Bytes(0x80 - 0x6F)) & Bytes(0x80);
}

// Past the longest run from `at` on without a stop byte.
template <class IsStop, class HasStop>
size_t PlainRunEnd(std::string_view text, size_t at, IsStop is_stop, HasStop has_stop) {
  while (at + sizeof(uint64_t) <= text.size()) {
    uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof(word));
    if (has_stop(word) != 0) break;
    at += sizeof(word);
  }
  while (at < text.size() && !is_stop(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

}  // namespace stele::json
