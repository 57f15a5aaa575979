// Which entries a citation bundle of a record has in it (formats-rules 33).
//
// Every valid entry about the record; and for all that is shown, to the end:
// - of each signer the entry that gave it its authority, down to genesis;
// - of each disputed entry the revocation that disputes it;
// - for a guest's statement or introduction the latest policy below it;
// - for a withheld envelope the withholding, and those of the record and of its manifests;
// and the log-key entries.
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
