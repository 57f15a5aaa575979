// Entry → rows: what a valid entry says about which digest. Pure; the planner writes with the entry
// what this gives, and whoever rebuilds or audits derives the same from the log.
//
// One row for each digest that is a subject, except those that stand elsewhere: records that a
// publication names (PublicationRow), and keys that an event is about (KeyEvent). A withholding
// also has a row under kWithholdings: what stands there are all of a log's withholdings.
#pragma once

#include <vector>

#include "core/statement/statement.h"
#include "store/backend/backend.h"

namespace stele::store {

// No content has this digest.
inline constexpr Digest kWithholdings{};

// Under this digest, too, stands no content: the copies of a detached statement, a row for each
// (RowsOf adds it). There can be several, since one that is withheld answers no replay (rule 23).
Digest CopiesOf(const ReplayKey& key);

// `statement` is valid at `index`, signed by `signer` with `authority`.
std::vector<SubjectRow> SubjectRowsOf(const Statement& statement, EntryIndex index,
                                      const KeyId& signer, EventIndex authority);

}  // namespace stele::store
