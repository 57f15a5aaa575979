// Who is at fault when entries that an earlier run read and those read now do not lead to the
// checkpoint together.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/audit/state.h"
#include "client/source/source.h"

namespace stele::client {

// Two checkpoints of one log that no append-only log has both. DATA_LOSS with both notes.
// `root` is what the source's entries lead to at `size`, that of the earlier one.
absl::Status Contradiction(const std::string& note, const std::string& earlier, TreeSize size,
                           const Hash& root);

// Reads every entry of the source anew, hashes only. CHECKPOINT_ROOT if they do not lead to the
// checkpoint themselves; a contradiction if they do and the earlier checkpoint does not go with
// them; ABORTED if it does: then what the journal had beyond it was never of this log.
absl::Status SecondLook(Source& source, const std::string& note, const Checkpoint& checkpoint,
                        const std::optional<AuditState>& earlier, size_t threads);

}  // namespace stele::client
