// The entries of a log that the index has rows for, told from all others. Pure but for what it
// reads of one moment.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "core/statement/statement.h"
#include "store/backend/backend.h"

namespace stele::store {

struct ValidEntry {
  EntryIndex index;
  KeyId signer;
  TimeMs logged;
  Statement statement;
};

// Nothing if the entry is void, or of a type that no rows follow from. Whether it is valid was
// judged when it was committed: a valid inline statement has its replay row.
absl::StatusOr<std::optional<ValidEntry>> ReadValidEntry(const Snapshot& log, const EntryRow& row);

}  // namespace stele::store
