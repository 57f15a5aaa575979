// Which entries a citation bundle of a record has in it: what core/citation/closure.h asks for,
// read from one moment of the store.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "store/read/reader.h"

namespace stele::store {

// Ascending, each once; empty if the record was never published. Errors are the reader's;
// RESOURCE_EXHAUSTED if there would be more than `most`.
absl::StatusOr<std::vector<EntryIndex>> CitationEntries(const Reader& reader, const Digest& record,
                                                        size_t most);

}  // namespace stele::store
