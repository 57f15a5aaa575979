// The blocks of a guard file as bytes; the format stands in guard.h. Format and parse are inverse.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/log/guard.h"

namespace stele::store {

inline constexpr size_t kGuardBlockBytes = 4096;

struct GuardSlot {
  uint64_t sequence = 0;  // from 1
  GuardPosition position;
};

std::string FormatGuardHeader(const GuardIdentity& identity);
// Nothing unless `block` is byte for byte what FormatGuardHeader gives.
std::optional<GuardIdentity> ParseGuardHeader(std::string_view block);

// `slot` is 0 or 1; a slot copied to the other's place, or from another guard, does not verify.
std::string FormatGuardSlot(const GuardSlot& content, const GuardIdentity& identity, int slot);
std::optional<GuardSlot> ParseGuardSlot(std::string_view block, const GuardIdentity& identity,
                                        int slot);

}  // namespace stele::store
