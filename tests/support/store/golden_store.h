// A golden log that grows entry by entry in a store, by the reference's verdicts and not by the
// planner's: what the planner gets to see below each entry.
#pragma once

#include <memory>

#include "core/replay/replay.h"
#include "store/backend/memory_backend.h"
#include "store/log/planner.h"
#include "store/read/snapshot_reader.h"
#include "tests/support/golden_log.h"

namespace stele::store::testing {

class GoldenStore {
 public:
  // All content of the log is there from the first entry on: being there is not being stored.
  explicit GoldenStore(const stele::testing::GoldenLog& log);

  // The next entry, with rows if the reference calls it valid.
  void Add(const ReadEntry& read);

  const LogState& state() const { return state_; }
  // The same as if nothing had ever been withheld.
  LogState WithoutWithholdings() const;
  const Snapshot& snapshot() const { return reader_->snapshot(); }
  // After the first entry.
  const SnapshotReader& reader() const { return *reader_; }
  // The replay of the same entries.
  const Replay& replay() const { return replay_; }

 private:
  void TakeIn(const Said& said, CommitPlan& plan);

  const stele::testing::GoldenLog& log_;
  MemoryBackend backend_;
  LogState state_;
  std::shared_ptr<const LogEvents> without_withholdings_ = std::make_shared<LogEvents>();
  Replay replay_;
  std::shared_ptr<const SnapshotReader> reader_;
};

}  // namespace stele::store::testing
