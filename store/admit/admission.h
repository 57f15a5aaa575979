// Admission: bytes → an admitted statement, or the answer at once. Looks at nothing but the item
// and one moment of the store; parallel, outside the writer. Everything that depends on the
// position in the log (role, `after`) is the planner's.
#pragma once

#include <memory>
#include <variant>

#include "absl/status/status.h"
#include "store/log/planner.h"
#include "store/log/publish.h"
#include "store/read/snapshot_reader.h"

namespace stele::store {

// For the writer, or in the log already (a receipt still without its proof), or refused.
using Admitted = std::variant<std::unique_ptr<AdmittedStatement>, Receipt, absl::Status>;

// In this order: sizes, envelope, key id, the signer's key (UNKNOWN_KEY, NOT_FOUND), signature
// (BAD_SIGNATURE), replay (answered with the first index, whatever else might be wrong by now), the
// payload's form, its type (TYPE_NOT_ADMITTED, GENESIS), its content (content_match.h). A failing
// replay look-up is an error of the item: it is never taken for "new". Pointers are into the
// payload, below /envelope, or /manifests/N. Empties `item`.
Admitted Admit(PublishItem& item, const SnapshotReader& reader);

}  // namespace stele::store
