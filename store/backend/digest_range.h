// The digests that begin with given hex digits, as a range of keys. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/crypto/digest.h"

namespace stele::store {

// Both ends belong to the range.
struct DigestRange {
  Digest first;
  Digest last;
};
// Nothing if `hex` is not 0 to 64 lowercase hex digits.
std::optional<DigestRange> DigestsWithPrefix(std::string_view hex);

// The first `limit` digests of two ascending lists, ascending, each once.
std::vector<Digest> FirstOf(const std::vector<Digest>& one, const std::vector<Digest>& other,
                            size_t limit);

}  // namespace stele::store
