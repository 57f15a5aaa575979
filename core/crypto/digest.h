// A SHA-256 digest: 32 bytes in memory, `sha256:` and 64 lowercase hex digits as text.
// The one name space of Stele: records, manifests, envelopes and artifacts are content by digest.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace stele {

class Digest {
 public:
  static constexpr size_t kBytes = 32;

  constexpr Digest() = default;  // all zeros: no content has it, useful only as a placeholder
  // Exactly 32 bytes, else nothing.
  static std::optional<Digest> FromBytes(std::string_view bytes);
  // Exactly `sha256:` and 64 lowercase hex digits, else nothing.
  static std::optional<Digest> FromText(std::string_view text);
  // Exactly 64 lowercase hex digits, else nothing.
  static std::optional<Digest> FromHex(std::string_view hex);

  std::string_view bytes() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  uint8_t* data() { return bytes_.data(); }
  std::string ToText() const;  // sha256:…
  std::string ToHex() const;

  friend auto operator<=>(const Digest&, const Digest&) = default;
  template <class H>
  friend H AbslHashValue(H h, const Digest& d) {
    return H::combine(std::move(h), d.bytes_);
  }

 private:
  std::array<uint8_t, kBytes> bytes_{};
};

// A key is named by the SHA-256 of its SPKI.
using KeyId = Digest;

}  // namespace stele
