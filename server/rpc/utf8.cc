#include "server/rpc/utf8.h"

#include <cstdint>

namespace stele::server {
namespace {

bool Continues(std::string_view text, size_t at) {
  return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80;
}

// Bytes of the well-formed character at the start of `text`; 0 if there is none.
size_t CharacterBytes(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  if (lead < 0x80) return 1;
  const auto second = text.size() > 1 ? static_cast<uint8_t>(text[1]) : uint8_t{0};
  if (lead >= 0xc2 && lead <= 0xdf) return Continues(text, 1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    if (lead == 0xe0 && second < 0xa0) return 0;
    if (lead == 0xed && second > 0x9f) return 0;
    return Continues(text, 1) && Continues(text, 2) ? 3 : 0;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    if (lead == 0xf0 && second < 0x90) return 0;
    if (lead == 0xf4 && second > 0x8f) return 0;
    return Continues(text, 1) && Continues(text, 2) && Continues(text, 3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string CleanUtf8(std::string_view text, size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (out.size() + (bytes == 0 ? 1 : bytes) > max_bytes) break;
    if (bytes == 0) {
      out += '?';
    } else {
      out.append(text.substr(0, bytes));
    }
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return out;
}

}  // namespace stele::server
