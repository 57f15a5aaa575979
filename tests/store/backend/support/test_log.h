// A log whose every row follows from its index, so that any snapshot can be checked whole without a
// second store to compare it with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tlog/tree_edge.h"
#include "store/backend/backend.h"

namespace stele::store::testing {

// The rows of entry `i`.
std::string ContentOf(uint64_t i);  // 0 to about 2,000 bytes, unlike any other's
std::string LeafOf(uint64_t i);
KeyId SignerOf(uint64_t i);
ReplayRow ReplayOf(uint64_t i);
std::vector<PublicationRow> PublicationsOf(uint64_t i);
std::vector<SubjectRow> SubjectsOf(uint64_t i);
std::vector<KeyEvent> KeyEventsOf(uint64_t i);

// Makes the plans of that log, one after the other.
class TestLog {
 public:
  TestLog() = default;
  // Goes on from a log of this size.
  explicit TestLog(uint64_t size);

  uint64_t size() const { return edge_.size().value(); }
  // The next `entries` entries; the log moves on, whether or not the plan is committed.
  CommitPlan Next(uint64_t entries);

 private:
  TreeEdge edge_;
};

// The head after `size` entries.
Head HeadOf(uint64_t size);

// Checks every row of the first `size` entries, that none of the next is there, the tiles, and that
// the entries lead to the root. Failures are gtest's.
void Audit(const Snapshot& snapshot, uint64_t size);
// Of a new snapshot.
void Audit(const Backend& backend, uint64_t size);

}  // namespace stele::store::testing
