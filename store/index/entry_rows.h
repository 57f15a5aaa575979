// Entry → all rows that follow from it. Pure: the planner writes these with the entry, and who
// checks or rebuilds derives the same.
#pragma once

#include <optional>
#include <vector>

#include "core/statement/statement.h"
#include "store/backend/backend.h"

namespace stele::store {

struct EntryRows {
  std::optional<ReplayRow> replay;  // of an inline entry; copies of a detached one are subjects
  std::vector<PublicationRow> publications;
  std::vector<SubjectRow> subjects;
  std::vector<KeyEvent> key_events;
};

// `statement` is valid at `index`, signed by `signer` with `authority`; `payload` is the SHA-256 of
// its bytes.
EntryRows RowsOf(const Statement& statement, EntryIndex index, const KeyId& signer,
                 EventIndex authority, const Digest& payload);

}  // namespace stele::store
