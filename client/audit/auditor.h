// The whole-log audit: every hash, signature, role and content byte of a log, re-derived from what
// a source holds (formats §4 to §6, rules 20 to 32).
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/audit/audited_log.h"
#include "client/source/source.h"
#include "core/tlog/checkpoint.h"
#include "core/tlog/trust_policy.h"

namespace stele::client {

struct AuditProgress {
  uint64_t entries = 0;  // taken in
  uint64_t of = 0;       // in the log
};

struct KnownCheckpoint {
  std::string note;
  Checkpoint checkpoint;
};

struct AuditOptions {
  // Judges the source's checkpoint: a log of it has to have signed, and its quorum to be met.
  // Without one the keys that the log itself names count, and `genesis` says which log it has to
  // be.
  std::optional<TrustPolicy> policy;
  std::optional<Hash> genesis;  // leaf hash of entry 0
  // Checkpoints of this log that were verified before, by whatever way: the source's entries have
  // to lead to each that is not larger than its own.
  std::vector<KnownCheckpoint> known;
  // The state file; beside it stands a journal, the same name with `.journal`. Without one the
  // audit begins at 0 and nothing is remembered.
  std::optional<std::filesystem::path> state;
  size_t threads = 0;             // 0: one for each processor
  uint64_t batch_entries = 4096;  // held in memory at a time, with their payloads
  std::function<void(const AuditProgress&)> progress;  // on the caller's thread; may be empty
};

struct AuditReport {
  std::string note;
  Checkpoint checkpoint;
  std::vector<std::string> signers;      // vkeys known to the reader that signed
  std::vector<std::string> unsigned_by;  // vkeys that should have signed and did not
  // Entries below were checked by an earlier run.
  TreeSize resumed;
  // The checkpoint of the state file. It may be the larger one: then the source shows an old head.
  std::optional<Checkpoint> earlier;
  // The two are of one append-only log. False only if the source shows the smaller one and the
  // journal that had the entries of the larger one is lost.
  bool earlier_compared = false;
  uint64_t valid = 0, void_entries = 0, withheld = 0, malformed = 0, disputed = 0;
  uint64_t records = 0;
  uint64_t withheld_digests = 0;
  uint64_t contents = 0, content_bytes = 0;  // looked at in this run
  std::vector<AuditFault> faults;
};

// Reads the whole log and answers what it came to. An error is a refusal of the source, DATA_LOSS
// with a reason word (do not trust it): MISSING_FILE, NOTE_FORM, CHECKPOINT_…, LOG_KEY_RETIRED,
// BUNDLE_FORM, TILE_MISMATCH, CHECKPOINT_ROOT; without a word where the log contradicts the state
// file or a pin, with both sides in the message. Others: UNAVAILABLE, DEADLINE_EXCEEDED (the source
// cannot be reached), FAILED_PRECONDITION, INVALID_ARGUMENT (the state file), UNKNOWN (a file).
//
// The state file moves on only after everything below its checkpoint was checked and is on stable
// storage. An audit that is killed goes on near where it was.
absl::StatusOr<AuditReport> Audit(Source& source, const AuditOptions& options);

}  // namespace stele::client
