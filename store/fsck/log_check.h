// What the entries say, judged by the replay: form, signatures, roles, authority; the content that
// they name; and the sums of the rows that follow from them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/replay/content.h"
#include "core/replay/replay.h"
#include "store/backend/backend.h"
#include "store/fsck/finding.h"
#include "store/fsck/row_sum.h"
#include "store/index/entry_rows.h"

namespace stele::store {

struct RowSums {
  RowSum replays, publications, subjects, key_events;
};

class LogCheck {
 public:
  // Both outlive it; the snapshot has a head.
  LogCheck(const Snapshot& snapshot, Findings& findings)
      : snapshot_(snapshot), findings_(findings) {}

  // The next entry, in order, or its damage. Errors are of reading.
  absl::Status Take(EntryIndex index, const absl::StatusOr<EntryRow>& row);
  // After the last: what can be said only with all of them known.
  absl::Status Finish();

  // False if an entry could not be read: what follows from it is not known.
  bool whole() const { return damaged_.empty(); }
  const Replay& replay() const { return replay_; }
  const RowSums& sums() const { return sums_; }
  uint64_t contents() const { return contents_; }
  uint64_t content_bytes() const { return content_bytes_; }

  // The rows of an entry, if it is valid and was taken; reads the entry again.
  absl::StatusOr<std::optional<EntryRows>> RowsAt(EntryIndex index) const;
  // The row is of a detached entry whose envelope is withheld or missing, and agrees with its leaf.
  // Whether it follows from the envelope nothing tells: it is neither expected nor wrong.
  absl::StatusOr<bool> IsOpen(const SubjectRow& row) const;

 private:
  absl::StatusOr<ReadEntry> Read(const EntryRow& row) const;
  absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) const;
  absl::StatusOr<std::optional<uint64_t>> SizeOf(const Digest& artifact) const;
  absl::Status CheckContent(EntryIndex index, const Statement& statement);
  void AddRows(const EntryRows& rows);
  absl::Status ForgetWithheldRows();
  absl::Status CheckCheckpoint();

  const Snapshot& snapshot_;
  Findings& findings_;
  Replay replay_;
  RowSums sums_;
  std::set<EntryIndex> damaged_;
  std::vector<EntryIndex> detached_;  // of which rows were added
  // Said at the end: what is withheld later may be missing.
  std::vector<std::pair<EntryIndex, ContentFault>> content_faults_;
  TimeMs last_logged_;
  uint64_t contents_ = 0, content_bytes_ = 0;
};

}  // namespace stele::store
