// RFC 6962 §2.1: leaf hash = SHA-256(0x00 ‖ leaf), node = SHA-256(0x01 ‖ left ‖ right), the empty
// tree's root = SHA-256 of nothing.
#pragma once

#include <string_view>

#include "core/crypto/digest.h"

namespace stele {

using Hash = Digest;

Hash LeafHash(std::string_view leaf);
Hash NodeHash(const Hash& left, const Hash& right);
Hash EmptyRoot();

}  // namespace stele
