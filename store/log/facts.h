// What the planner has to know of the log below the head about one statement and does not hold,
// since it grows with the log: looked up for each statement by the writer (find_facts.h).
#pragma once

#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/replay/events.h"

namespace stele::store {

// A detached entry that says the same by the same key.
struct DetachedCopy {
  EntryIndex index;
  Digest envelope;
};

// One of the digests that the statement is about.
struct SubjectFacts {
  bool published = false;             // as a record
  bool stored = false;                // rule 12
  std::vector<EventPlace> by_signer;  // publications of it by the statement's own signer
};

struct StatementFacts {
  std::optional<EntryIndex> replay;  // of a statement that is logged inline
  std::vector<DetachedCopy> copies;  // of one that is logged detached, ascending
  // What QuestionOf(type) asks of its subjects; empty for the types that ask nothing. What is not
  // in it is neither published nor stored.
  absl::flat_hash_map<Digest, SubjectFacts> subjects;
};

}  // namespace stele::store
