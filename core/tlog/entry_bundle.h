// Entry bundle of C2SP tlog-tiles: up to 256 entries, each a big-endian uint16 length and the
// bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace stele {

// Appends one entry; it has at most 65,535 bytes (checked by the caller: limits::kLeafBytes).
void AppendBundleEntry(std::string_view leaf, std::string& bundle);

// Exactly `count` entries and not a byte more: else BUNDLE_FORM. Views into `bundle`.
absl::StatusOr<std::vector<std::string_view>> ParseEntryBundle(std::string_view bundle,
                                                               size_t count);

}  // namespace stele
