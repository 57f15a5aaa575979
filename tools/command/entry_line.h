// A log entry as a line for people or programs. Pure.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/json/value.h"

namespace stele::tools {

struct EntrySummary {
  EntryIndex index;
  TimeMs logged;        // the operator's claim
  std::string type;     // "publication", … or the foreign predicate type
  std::string signer;   // key id
  size_t subjects = 0;  // 0 for a detached entry: its statement is not in the leaf
  EventIndex authority;
};

// Reads a leaf of the log `origin`. What is logged and cannot be read as a statement is shown with
// the type "malformed".
absl::StatusOr<EntrySummary> Summarize(EntryIndex index, std::string_view leaf,
                                       std::string_view origin);

// "INDEX  LOGGED  TYPE  SIGNER  N subjects"
std::string EntryText(const EntrySummary& entry);
json::Value EntryJson(const EntrySummary& entry);

}  // namespace stele::tools
