// What can be wrong with a JSON text, and finding the first of it (formats, rule 1). Internal to
// this folder: the rest of the program sees absl::Status.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace stele::json {

enum class Fault {
  kNone,
  kByteOrderMark,
  kInvalidUtf8,
  kSyntax,
  kTrailingBytes,
  kDuplicateName,
  kLoneSurrogate,
  kNoncharacter,
  kTooDeep,
  kIntegerPrecision,
  kNumberOverflow,
  kNumberUnderflow,
};

// The refusal of the first fault in `text`, from left to right, with its place; OK if there is
// none. Exact and without a value to show for it: Parse calls it once the fast reader has failed.
absl::Status FirstFault(std::string_view text, int max_depth);

}  // namespace stele::json
