// The checks of an audit that need the source or the whole log. Refusals are DATA_LOSS with a
// reason word and both sides in the message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "client/audit/auditor.h"
#include "core/replay/events.h"
#include "core/tlog/tree_edge.h"

namespace stele::client {

// What a source answers that makes it no whole log is a refusal; what says that it cannot be
// reached, or the machine failed, stays what it is.
absl::Status AsRefusal(const absl::Status& status);

// A checkpoint whose signatures are judged later. NOTE_FORM, CHECKPOINT_FORM, CHECKPOINT_ORIGIN.
absl::StatusOr<Checkpoint> ReadCheckpoint(std::string_view note);

// Every tile of the source is what the entries lead to: TILE_MISMATCH, MISSING_FILE.
absl::Status CompareTiles(Source& source, absl::Span<const TreeEdge::FinishedTile> tiles,
                          size_t threads);
// The tiles at the right edge that are not full.
std::vector<TreeEdge::FinishedTile> UnfinishedTiles(const TreeEdge& edge);
bool IsTileMismatch(const absl::Status& status);

// CHECKPOINT_ROOT. `tile` is the first tile that differs, if any: where to look.
absl::Status RootMismatch(const Checkpoint& checkpoint, const Hash& root, const absl::Status& tile);

// The checkpoint, signed by one of the keys that the log itself names.
absl::StatusOr<SignedCheckpoint> OpenWithLogKeys(std::string_view note,
                                                 absl::Span<const LogKeySpan> keys);
// Rule 32: `keys` are those of the log at the size of the checkpoint, whose signatures were
// verified. Gives the vkeys that should have signed and did not.
absl::StatusOr<std::vector<std::string>> JudgeSigners(std::string_view note,
                                                      absl::Span<const LogKeySpan> keys,
                                                      const SignedCheckpoint& head);

// Fills the counts that follow from the replay.
void Count(const Replay& replay, AuditReport& report);

}  // namespace stele::client
