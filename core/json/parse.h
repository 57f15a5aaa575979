// Strict JSON (formats §2, rules 1 to 5): UTF-8, I-JSON, nothing repaired.
//
// Refused with its reason word and the JSON Pointer of the place: byte-order mark, invalid UTF-8,
// syntax, trailing bytes, duplicate names (after unescaping), lone surrogates, noncharacters,
// depth, numbers that would change. Faults are found in the order of rule 1: size, BOM, UTF-8, then
// left to right. Tokenised by simdjson On-Demand.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/limits.h"
#include "core/json/value.h"

namespace stele::json {

struct ParseLimits {
  size_t max_bytes = limits::kManifestBytes;
  int max_depth = limits::kJsonDepth;
};

// Parses the whole text. Errors are INVALID_ARGUMENT refusals. Thread-safe; keeps a reusable parser
// and padded buffer per thread.
absl::StatusOr<Value> Parse(std::string_view text, const ParseLimits& limits = {});

}  // namespace stele::json
