// The two forms of an ECDSA P-256 signature (formats §4): exactly 64 bytes are r‖s, anything else
// is strict minimal DER; 0 < r, s < n. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace stele {

// The signature as minimal DER, or nothing if it is in neither form or out of range.
std::optional<std::string> NormalizeEcdsaSignature(std::string_view signature);

}  // namespace stele
