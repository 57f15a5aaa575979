// A log written anew into an empty backend, out of an old snapshot and a source.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "core/replay/replay.h"
#include "core/tlog/tree_edge.h"
#include "store/backend/backend.h"
#include "store/fsck/repair.h"
#include "store/fsck/snapshot_check.h"

namespace stele::store {

class Rebuild {
 public:
  // `old` may be null. The others outlive it.
  Rebuild(const Snapshot* old, RepairSource& source, Backend& out)
      : old_(old), source_(source), out_(out) {}

  // Writes the log up to `head`, whose checkpoint goes with it; `source_size` is the size of the
  // source's tree. With `distrust` leaves come from the source alone.
  //
  // DATA_LOSS if they do not lead to the root of `head`, or not to `must_reach`, or some cannot be
  // had: then `out` is good for nothing. Content that nobody has is left out.
  absl::Status Write(const Head& head, TreeSize source_size, absl::Span<const MustReach> must_reach,
                     bool distrust,
                     const std::function<void(uint64_t done, uint64_t all)>& progress);

  uint64_t leaves_fetched() const { return leaves_fetched_; }
  uint64_t contents_fetched() const { return contents_fetched_; }

 private:
  absl::StatusOr<std::string> LeafAt(EntryIndex index);
  absl::StatusOr<std::string> FetchLeaf(EntryIndex index);
  absl::StatusOr<std::optional<std::string>> OldPiece(const Digest& digest) const;
  absl::StatusOr<std::optional<std::string>> ContentOf(const Digest& digest);
  absl::Status TakeContent(const Digest& digest, std::optional<std::string> bytes);
  absl::Status Add(EntryIndex index, std::string leaf);
  absl::Status AddContent(const ReadEntry& read);
  absl::Status AddArtifact(const Digest& digest);
  // Stages it out of the old snapshot, or from the source; nothing if it is not whole there.
  absl::StatusOr<std::optional<uint64_t>> StageOld(const Digest& digest);
  absl::StatusOr<std::optional<uint64_t>> StageFetched(const Digest& digest);
  absl::Status CheckReached(uint64_t size, absl::Span<const MustReach> must_reach) const;
  absl::Status Commit(const Head* last);

  const Snapshot* const old_;
  RepairSource& source_;
  Backend& out_;

  Head target_;
  TreeSize source_size_;
  bool distrust_ = false;
  Replay replay_;
  TreeEdge edge_;
  TimeMs last_logged_;
  CommitPlan plan_;
  size_t plan_bytes_ = 0;
  std::shared_ptr<const Snapshot> written_;  // as of the last commit
  absl::flat_hash_set<Digest> in_plan_, artifacts_in_plan_;
  std::vector<std::string> fetched_;  // leaves, from fetched_from_ on
  uint64_t fetched_from_ = 0;
  uint64_t leaves_fetched_ = 0, contents_fetched_ = 0;
};

}  // namespace stele::store
