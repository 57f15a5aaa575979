#include "core/json/value.h"

#include <algorithm>

#include "core/json/canonical.h"

namespace stele::json {
namespace {

constexpr size_t kLinearSearch = 16;  // members up to which comparing all is faster

}  // namespace

const Value* Object::Find(std::string_view name) const {
  if (members.size() <= kLinearSearch) {
    for (const Member& member : members) {
      if (member.first == name) return &member.second;
    }
    return nullptr;
  }
  auto at = std::lower_bound(
      members.begin(), members.end(), name,
      [](const Member& member, std::string_view n) { return CanonicalLess(member.first, n); });
  return at != members.end() && at->first == name ? &at->second : nullptr;
}

}  // namespace stele::json
