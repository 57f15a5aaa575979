// Admission: bytes → an admitted statement, or the answer at once. Looks at nothing but the item
// and one moment of the store; parallel, outside the writer. Everything that depends on the
// position in the log (role, `after`) is the planner's.
#pragma once

#include <memory>
#include <variant>

#include "absl/status/status.h"
#include "store/artifact/artifact_stage.h"
#include "store/log/clock.h"
#include "store/log/guest_quota.h"
#include "store/log/planner.h"
#include "store/log/publish.h"
#include "store/read/snapshot_reader.h"

namespace stele::store {

// For the writer, or in the log already (a receipt still without its proof), or refused.
using Admitted = std::variant<std::unique_ptr<AdmittedStatement>, Receipt, absl::Status>;

// In this order: sizes, envelope, key id, the signer's key (UNKNOWN_KEY, NOT_FOUND; an introduction
// brings its own), signature (BAD_SIGNATURE), replay (answered with the first index that answers,
// whatever else might be wrong by now), the payload's form, GENESIS, what is withheld (WITHHELD,
// withheld.h), the number of a foreign statement's subjects (TOO_LARGE), its content
// (content_match.h). A failing replay look-up is an error of the item: it is never taken for "new".
// Pointers are into the payload, below /envelope, or /manifests/N. Empties `item`.
//
// Of guests, and of whoever introduces himself, envelopes are no larger than that of `guests`
// (TOO_LARGE, with what is withheld), and in the end a place of the day's count is taken
// (GUEST_QUOTA) by the clock.
Admitted Admit(PublishItem& item, const SnapshotReader& reader, GuestQuota& guests,
               const Clock& clock, ArtifactStage& stage);

}  // namespace stele::store
