// A statement's content: the manifests that came with it, matched to its record subjects. Pure, but
// for looking up artifacts.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/statement/statement.h"
#include "store/read/reader.h"

namespace stele::store {

// The rows to store: of each record its identity body, and its manifest where the two differ.
// Every record subject has its manifest among `manifests`, in any form whose RFC 8785 form has the
// digest that the subject names; none is left over; artifacts are stored already.
//
// Refusals (INVALID_ARGUMENT): TOO_LARGE in all (RESOURCE_EXHAUSTED), those of ParseManifest at
// /manifests/N/…, CONTENT_MISMATCH at /subject/N (another record's manifest, another size) or
// /manifests/N (nobody names it), MISSING_CONTENT at /subject/N.
absl::StatusOr<std::vector<ContentRow>> MatchContent(const Statement& statement,
                                                     const std::vector<std::string>& manifests,
                                                     const Reader& reader);

}  // namespace stele::store
