#include "store/backend/digest_range.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace stele::store {

std::optional<DigestRange> DigestsWithPrefix(std::string_view hex) {
  constexpr size_t kDigits = 2 * Digest::kBytes;
  if (hex.size() > kDigits) return std::nullopt;
  std::string first(hex), last(hex);
  first.resize(kDigits, '0');
  last.resize(kDigits, 'f');
  const auto from = Digest::FromHex(first), to = Digest::FromHex(last);
  if (!from || !to) return std::nullopt;
  return DigestRange{*from, *to};
}

std::vector<Digest> FirstOf(const std::vector<Digest>& one, const std::vector<Digest>& other,
                            size_t limit) {
  std::vector<Digest> both;
  std::set_union(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  if (both.size() > limit) both.resize(limit);
  return both;
}

}  // namespace stele::store
