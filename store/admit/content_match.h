// A statement's content: the manifests that came with it, matched to its record subjects, and its
// artifacts, which were uploaded before or are stored. Pure, but for looking those up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/statement/statement.h"
#include "store/artifact/artifact_stage.h"
#include "store/read/reader.h"

namespace stele::store {

struct MatchedContent {
  std::vector<ContentRow> rows;        // of each record its identity body, and its manifest where
                                       // the two differ
  std::vector<ArtifactRow> artifacts;  // digest and size of those that are not stored yet,
  std::vector<std::shared_ptr<const void>> held;  // each kept staged by this
};

// Every record subject has its manifest among `manifests`, in any form whose RFC 8785 form has the
// digest that the subject names; none is left over; artifacts are stored or staged whole, with the
// size that the subject says.
//
// Refusals (INVALID_ARGUMENT): TOO_LARGE in all (RESOURCE_EXHAUSTED), those of ParseManifest at
// /manifests/N/…, CONTENT_MISMATCH at /subject/N (another record's manifest, another size) or
// /manifests/N (nobody names it), MISSING_CONTENT at /subject/N.
absl::StatusOr<MatchedContent> MatchContent(const Statement& statement,
                                            const std::vector<std::string>& manifests,
                                            const Reader& reader, ArtifactStage& stage);

}  // namespace stele::store
