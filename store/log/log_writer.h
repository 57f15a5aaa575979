// The writer: batch in, one commit, outcomes out. It has no thread of its own, the sequencer's
// calls it; what may be called from any thread says so.
//
// A batch is durable in this order: content, entries and signed head in one synchronised write;
// then the guard; then readers see it; then it is acknowledged. After a failed write nothing of the
// batch is shown or acknowledged and nothing more is written. If the disk was full, the log is
// closed and opened again once there is room; anything else needs a restart.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/base/mutex.h"
#include "store/log/answers.h"
#include "store/log/clock.h"
#include "store/log/clock_watch.h"
#include "store/log/disk_watch.h"
#include "store/log/key_watch.h"
#include "store/log/opened_log.h"
#include "store/log/planner.h"
#include "store/log/published.h"
#include "store/log/recent_replays.h"
#include "store/read/tile_cache.h"

namespace stele::store {

// One admitted statement and who waits for it.
struct Submission {
  uint64_t tag = 0;
  std::unique_ptr<AdmittedStatement> statement;
  std::shared_ptr<PublishSink> sink;
  size_t held_bytes = 0;  // of the budget
};

struct WriterOptions {
  Clock clock;
  EventLog log;
  bool accept_clock = false;
  uint64_t disk_reserve_bytes = 0;
  // Free bytes below which a log that met a full disk stays open for reads: opening it again
  // writes.
  uint64_t reopen_room_bytes = 0;
};

class LogWriter {
 public:
  // Borrows `published` and `answers`. `reopen` may be empty: then a full disk needs a restart too.
  LogWriter(WriterOptions options, LogOpener reopen, Published& published, Answers& answers);

  // Begins to write to `opened`: readers see its head. Before anything else.
  absl::Status Start(OpenedLog opened);

  // True: every submission has its outcome. False: a write failed just now, and what is left in
  // `batch` is to be refused together with whatever waited behind it.
  bool Process(std::vector<Submission>& batch);
  // Nothing more is written, as after a batch that failed: somebody else's write did.
  void NoteFailedWrite(const absl::Status& why);
  // UNAVAILABLE for what was in, or behind, a write that failed.
  void RefuseUnwritten(std::vector<Submission> unwritten);
  // True while a full disk keeps the log closed: call Reopen now and then.
  bool wants_reopen() const { return wants_reopen_; }
  void Reopen();

  // Any thread. OK, or why nothing is taken: CLOCK, READ_ONLY, LOG_KEY_MISSING (UNAVAILABLE),
  // DISK_FULL (RESOURCE_EXHAUSTED).
  absl::Status state() const STELE_EXCLUDES(mutex_);
  // Any thread; null while the log is being reopened.
  std::shared_ptr<Backend> backend() const STELE_EXCLUDES(mutex_);
  uint64_t commits() const { return commits_; }
  uint64_t guard_syncs() const { return guard_syncs_; }
  uint64_t reopened() const { return reopened_; }

 private:
  absl::Status CheckReady();
  bool ProcessAtOnce(std::vector<Submission>& batch);
  bool ProcessOneByOne(std::vector<Submission>& batch);
  bool MayLackAKey(const std::vector<Submission>& batch) const;
  std::vector<StatementFacts> FindFacts(std::vector<Submission>& batch);
  absl::Status Commit(PlannedBatch& planned);
  absl::Status Show(const LogState& state, std::shared_ptr<const Snapshot> snapshot);
  void Fail(const absl::Status& why);
  void Refuse(std::vector<Submission> batch, const absl::Status& why);
  void Acknowledge(std::vector<Submission> batch, PlannedBatch planned);
  absl::Status own_state() const STELE_EXCLUDES(mutex_);
  void SetState(absl::Status state) STELE_EXCLUDES(mutex_);
  void LookAtKeys() STELE_EXCLUDES(mutex_);
  void Log(std::string_view severity, const std::string& message) const;

  const WriterOptions options_;
  const LogOpener reopen_;
  Published& published_;
  Answers& answers_;
  const std::shared_ptr<TileCache> tiles_ = std::make_shared<TileCache>();
  std::unique_ptr<Guard> guard_;
  std::optional<LogSigner> signer_;
  std::optional<LogState> log_;
  RecentReplays recent_;
  ClockWatch clock_watch_;
  KeyWatch key_watch_;
  mutable DiskWatch disk_watch_;
  DiskWatch reopen_watch_;
  TimeMs now_;  // of the batch in hand
  bool wants_reopen_ = false;
  std::chrono::steady_clock::time_point next_reopen_;
  std::string reopen_error_;  // said once, not ten times a second
  std::atomic<uint64_t> commits_{0}, guard_syncs_{0}, reopened_{0};
  mutable Mutex mutex_;
  absl::Status state_ STELE_GUARDED_BY(mutex_);
  // Why the next entry cannot be signed for. Statements are tried all the same: one of them may
  // bring a log key that is held.
  absl::Status key_state_ STELE_GUARDED_BY(mutex_);
  std::shared_ptr<Backend> backend_ STELE_GUARDED_BY(mutex_);
};

}  // namespace stele::store
