// Numbers, texts and digests out of bytes that may be anything.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/crypto/digest.h"

namespace stele {

inline void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

inline void AppendText(std::string_view text, std::string& out) {
  AppendVarint(text.size(), out);
  out += text;
}

// Cuts from the front. After a fault everything is zero or empty and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  std::string_view rest() const { return bytes_; }

  std::string_view Bytes(uint64_t count) {
    if (count > bytes_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  uint8_t Byte() {
    const std::string_view byte = Bytes(1);
    return byte.empty() ? 0 : static_cast<uint8_t>(byte.front());
  }
  // The shortest form only, so that bytes and values are one to one.
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const uint8_t byte = Byte();
      const uint64_t part = byte & 0x7f;
      if ((shift == 63 && part > 1) || (shift > 0 && byte == 0)) break;
      value |= part << shift;
      if ((byte & 0x80) == 0) return ok_ ? value : 0;
    }
    ok_ = false;
    return 0;
  }
  std::string_view Text() { return Bytes(Varint()); }
  stele::Digest Digest() {
    return stele::Digest::FromBytes(Bytes(stele::Digest::kBytes)).value_or(stele::Digest());
  }
  void Fail() { ok_ = false; }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace stele
