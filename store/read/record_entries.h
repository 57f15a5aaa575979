// Everything that valid entries say about a record. Pure but for what it reads of one moment.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "store/read/reader.h"

namespace stele::store {

struct RecordEntry {
  EntryIndex index;
  StatementType type = StatementType::kPublication;
  KeyId signer;
  EventIndex authority;
  bool disputed = false;  // counts for nothing derived
};

// Publications of the record and every other statement with it as a subject, ascending by index,
// each once. Empty if there is none. Errors are the reader's.
absl::StatusOr<std::vector<RecordEntry>> RecordEntries(const Reader& reader, const Digest& record);

}  // namespace stele::store
