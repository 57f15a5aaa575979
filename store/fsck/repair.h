// Brings a damaged store back to clean.
//
// The database is written anew in a folder beside it, out of what is whole in the old one and what
// a source gives in place of the rest: leaves, content by digest; tiles and all other rows follow
// from them. Nothing is trusted: the new log must have the root of the target, which is the head
// that the store or the guard says was signed last, or a later one that the source has under the
// log's own key. Then it is checked like any store, the folders change places in one step, and the
// damaged one is kept beside as db.damaged-<n>. The derived index is removed: it is derived anew at
// the next start.
//
// A log is never shortened, and nothing is ever signed but what was signed before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/byte_sink.h"
#include "store/fsck/fsck.h"

namespace stele::store {

// Where a copy of the log is. One call at a time. What it gives is verified by the caller.
// UNAVAILABLE, DEADLINE_EXCEEDED: it cannot be reached; NOT_FOUND, DATA_LOSS: it does not have it.
class RepairSource {
 public:
  virtual ~RepairSource() = default;
  // The signed note of its newest checkpoint.
  virtual absl::StatusOr<std::string> Checkpoint() = 0;
  // `count` leaves from `start` on, of its tree of `size`.
  virtual absl::StatusOr<std::vector<std::string>> Leaves(EntryIndex start, uint64_t count,
                                                          TreeSize size) = 0;
  // Nothing if it does not have it.
  virtual absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) = 0;
  // The same of any size, piece by piece; false if it does not have all of it.
  virtual absl::StatusOr<bool> Artifact(const Digest& digest, ByteSink& sink) = 0;
};

struct RepairOptions {
  FsckOptions fsck;  // `found` hears what is wrong before, and what could not be repaired
};

struct RepairReport {
  FsckReport before;
  FsckReport after;
  bool rebuilt = false;        // else there was no need to
  std::filesystem::path kept;  // the damaged database, if rebuilt
  uint64_t leaves_fetched = 0, contents_fetched = 0;
};

// Checks, and repairs if anything is wrong; `after` says what is left. Holds the store's locks
// meanwhile. Needs the room of a second database.
//
// FAILED_PRECONDITION: another process holds the store; nothing tells how long the log was (neither
// head nor guard is whole); the source has another history; log.key is needed and missing.
// DATA_LOSS: the source does not have what is missing of the log. UNAVAILABLE, RESOURCE_EXHAUSTED
// (DISK_FULL) for I/O. After any error the store is as it was found.
absl::StatusOr<RepairReport> Repair(const RepairOptions& options, RepairSource& source);

}  // namespace stele::store
