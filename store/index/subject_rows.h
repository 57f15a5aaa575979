// Entry → rows: what a valid entry says about which digest. Pure; the planner writes with the entry
// what this gives, and whoever rebuilds or audits derives the same from the log.
//
// One row for each subject, except those that stand elsewhere: records that a publication names
// (PublicationRow), and keys that an event is about (KeyEvent). A withholding also has a row under
// kWithholdings, so that one look tells whether a log has any.
#pragma once

#include <vector>

#include "core/statement/statement.h"
#include "store/backend/backend.h"

namespace stele::store {

// No content has this digest.
inline constexpr Digest kWithholdings{};

// `statement` is valid at `index`, signed by `signer` with `authority`.
std::vector<SubjectRow> SubjectRowsOf(const Statement& statement, EntryIndex index,
                                      const KeyId& signer, EventIndex authority);

}  // namespace stele::store
