// Which entries of a log belong in the citation of a record (rule 33), from what an index over the
// log knows. Pure.
//
// What the rule names: the entries about the record, for every signer the chain of `authority`
// entries down to genesis, the log-key entries, for what a guest said the latest policy below,
// every revocation that disputes an entry shown, withholdings; and the chains of all these. Beyond
// that, what the replay of only these entries needs to come to the same verdicts: revocations that
// disputed an entry shown until they were disputed themselves, and of a revocation by a recovery
// key the event that had made its subject an operator.
#pragma once

#include <vector>

#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/statement/key_ring.h"

namespace stele {

// An entry as far as its place in the log says who may have said it.
struct LoggedEntry {
  EntryIndex index;
  KeyId signer;
  EventIndex authority;
  friend bool operator==(const LoggedEntry&, const LoggedEntry&) = default;
};

// All as of one size of the log; no list holds void entries.
struct CitationSources {
  // Of the whole log.
  const KeyRing& ring;
  std::vector<LoggedEntry> policies;  // ascending, disputed ones too
  std::vector<LoggedEntry> log_keys;  // disputed ones too
  // About this record: publications and all else that names it, disputed and withheld ones too.
  std::vector<LoggedEntry> about;
  // The latest withholding that counts of each envelope of `about` that is withheld, and of the
  // record and its manifest if they are.
  std::vector<LoggedEntry> withholdings;
  // For each retraction in `about` that also names other records: its signer's publications of
  // those. Whether the signer published them is a condition on records that may be shown.
  std::vector<LoggedEntry> publications_by_retractors;
};

// Ascending, each once; index 0 always. Empty for a log without genesis.
std::vector<EntryIndex> EntriesToCite(const CitationSources& sources);

}  // namespace stele
