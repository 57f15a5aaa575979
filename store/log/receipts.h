// From decisions to outcomes: receipts, still without the proof that Answers gives them.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/log/planner.h"
#include "store/log/publish.h"
#include "store/read/snapshot_reader.h"

namespace stele::store {

// The receipt of a statement that is in the log since before. The stored payload is compared byte
// for byte: DATA_LOSS if it differs.
absl::StatusOr<Receipt> MakeReplayReceipt(const SnapshotReader& reader, EntryIndex index,
                                          std::string_view payload);

// One result for each decision; `reader` shows the tree after the plan. Leaves move out of the
// plan.
std::vector<absl::StatusOr<Receipt>> MakeReceipts(const SnapshotReader& reader,
                                                  absl::Span<AdmittedStatement* const> batch,
                                                  PlannedBatch& planned);

}  // namespace stele::store
