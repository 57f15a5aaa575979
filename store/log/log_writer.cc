#include "store/log/log_writer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/log/commit.h"
#include "store/log/receipts.h"

namespace stele::store {
namespace {

constexpr std::chrono::milliseconds kReopenEvery{100};

// What the caller of a statement hears that was in, or behind, a write that failed.
absl::Status Unwritten(const absl::Status& why) {
  return stele::Refuse(
      absl::StatusCode::kUnavailable, ReasonOf(why), "",
      absl::StrCat("not acknowledged: ", why.message(),
                   " Send it again later; if it is in the log, the answer will say so."));
}

std::vector<AdmittedStatement*> Statements(const std::vector<Submission>& batch) {
  std::vector<AdmittedStatement*> statements;
  statements.reserve(batch.size());
  for (const Submission& submission : batch) statements.push_back(submission.statement.get());
  return statements;
}

}  // namespace

LogWriter::LogWriter(WriterOptions options, LogOpener reopen, Published& published,
                     Answers& answers)
    : options_(std::move(options)),
      reopen_(std::move(reopen)),
      published_(published),
      answers_(answers),
      clock_watch_(options_.accept_clock),
      disk_watch_(options_.disk_reserve_bytes),
      reopen_watch_(std::max(options_.disk_reserve_bytes, options_.reopen_room_bytes)) {}

absl::Status LogWriter::Start(OpenedLog opened) {
  STELE_RETURN_IF_ERROR(Show(opened.recovered.state, std::move(opened.recovered.snapshot)));
  log_ = std::move(opened.recovered.state);
  recent_.Reset(log_->head.size);
  verifier_ = std::move(opened.recovered.verifier);
  guard_ = std::move(opened.guard);
  {
    MutexLock lock(mutex_);
    backend_ = std::move(opened.backend);
  }
  // A clock that is wrong from the start is said at once, not to the first who publishes.
  absl::Status clock = clock_watch_.Check(options_.clock(), std::chrono::steady_clock::now(),
                                          log_->head.last_logged);
  if (!clock.ok()) Log("error", std::string(clock.message()));
  SetState(std::move(clock));
  return absl::OkStatus();
}

bool LogWriter::Process(std::vector<Submission>& batch) {
  if (absl::Status ready = CheckReady(); !ready.ok()) {
    Refuse(std::move(batch), ready);
    return true;
  }
  const std::vector<std::optional<EntryIndex>> replays = FindReplays(batch);
  absl::StatusOr<PlannedBatch> planned = PlanBatch(*log_, Statements(batch), replays, now_);
  absl::Status written = planned.status();
  if (written.ok() && !planned->plan.entries.empty()) written = Commit(*planned);
  if (!written.ok()) {
    Fail(written);
    return false;
  }
  Acknowledge(std::move(batch), *std::move(planned));
  return true;
}

absl::Status LogWriter::CheckReady() {
  STELE_RETURN_IF_ERROR(state());
  now_ = options_.clock();
  absl::Status clock =
      clock_watch_.Check(now_, std::chrono::steady_clock::now(), log_->head.last_logged);
  if (!clock.ok()) {
    Log("error", std::string(clock.message()));
    SetState(clock);
    return clock;
  }
  return disk_watch_.Check(*backend());
}

// Statements whose look-up fails are answered with the error and leave the batch: a read error is
// never taken for "new".
std::vector<std::optional<EntryIndex>> LogWriter::FindReplays(std::vector<Submission>& batch) {
  std::vector<std::optional<EntryIndex>> replays;
  std::vector<Submission> kept;
  std::vector<Answer> failed;
  replays.reserve(batch.size());
  kept.reserve(batch.size());
  for (Submission& submission : batch) {
    absl::StatusOr<std::optional<EntryIndex>> found = FindReplay(*submission.statement);
    if (found.ok()) {
      replays.push_back(*found);
      kept.push_back(std::move(submission));
    } else {
      failed.push_back(
          {std::move(submission.sink), {submission.tag, found.status()}, submission.held_bytes});
    }
  }
  batch = std::move(kept);
  answers_.Deliver(std::move(failed));
  return replays;
}

absl::StatusOr<std::optional<EntryIndex>> LogWriter::FindReplay(
    const AdmittedStatement& statement) const {
  const ReplayKey key{statement.payload_digest, statement.signer};
  if (recent_.KnowsSince(statement.looked_up)) return recent_.Find(key);
  STELE_ASSIGN_OR_RETURN(const auto reader, published_.Get());
  return reader->snapshot().FindReplay(key);
}

absl::Status LogWriter::Commit(PlannedBatch& planned) {
  const std::shared_ptr<Backend> backend = this->backend();
  STELE_RETURN_IF_ERROR(SignAndCommit(*backend, *verifier_, options_.log_key, planned));
  ++commits_;
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot, backend->GetSnapshot());
  if (snapshot->head() != planned.next.head) {
    return absl::InternalError("the backend does not show what was committed.");
  }
  if (guard_ != nullptr) {
    STELE_RETURN_IF_ERROR(
        guard_->Record({.size = planned.next.head.size, .root = planned.next.head.root}));
    ++guard_syncs_;
  }
  STELE_RETURN_IF_ERROR(Show(planned.next, std::move(snapshot)));
  log_ = planned.next;
  recent_.Add(planned.plan.replays, log_->head.size);
  return absl::OkStatus();
}

absl::Status LogWriter::Show(const LogState& state, std::shared_ptr<const Snapshot> snapshot) {
  STELE_ASSIGN_OR_RETURN(auto reader,
                         SnapshotReader::Make(std::move(snapshot), state.ring, state.edge, tiles_));
  published_.Set(std::move(reader));
  return absl::OkStatus();
}

void LogWriter::Acknowledge(std::vector<Submission> batch, PlannedBatch planned) {
  // Only this thread moves the published head, so this is the one just committed.
  absl::StatusOr<std::shared_ptr<const SnapshotReader>> reader = published_.Get();
  if (!reader.ok()) return Refuse(std::move(batch), reader.status());
  std::vector<absl::StatusOr<Receipt>> results = MakeReceipts(**reader, Statements(batch), planned);
  std::vector<Answer> answers;
  answers.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    answers.push_back(
        {std::move(batch[i].sink), {batch[i].tag, std::move(results[i])}, batch[i].held_bytes});
  }
  answers_.Deliver(std::move(answers));
}

void LogWriter::Refuse(std::vector<Submission> batch, const absl::Status& why) {
  std::vector<Answer> answers;
  answers.reserve(batch.size());
  for (Submission& submission : batch) {
    answers.push_back({std::move(submission.sink), {submission.tag, why}, submission.held_bytes});
  }
  answers_.Deliver(std::move(answers));
}

void LogWriter::RefuseUnwritten(std::vector<Submission> unwritten) {
  Refuse(std::move(unwritten), Unwritten(state()));
}

void LogWriter::Fail(const absl::Status& why) {
  Log("error", absl::StrCat("a write failed, publishing has stopped: ", why.ToString()));
  if (ReasonOf(why) == reason::kDiskFull && reopen_ != nullptr) {
    wants_reopen_ = true;
    next_reopen_ = std::chrono::steady_clock::now() + kReopenEvery;
    SetState(stele::Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "",
                           "the disk is full; publishing goes on when there is room again."));
    return;
  }
  SetState(stele::Refuse(absl::StatusCode::kUnavailable, reason::kReadOnly, "",
                         absl::StrCat("a write failed (", why.message(),
                                      "): publishing has stopped, reads go on; restart steled.")));
}

void LogWriter::Reopen() {
  const auto now = std::chrono::steady_clock::now();
  if (!wants_reopen_ || now < next_reopen_) return;
  next_reopen_ = now + kReopenEvery;
  if (const auto backend = this->backend(); backend != nullptr) {
    if (!reopen_watch_.Check(*backend).ok()) return;
  }
  // Everything of ours that holds the log goes first: it can be open only once.
  published_.Set(nullptr);
  guard_.reset();
  {
    MutexLock lock(mutex_);
    backend_.reset();
  }
  absl::StatusOr<OpenedLog> opened = reopen_();
  absl::Status started = opened.status();
  if (started.ok()) started = Start(*std::move(opened));
  if (!started.ok()) {
    const std::string error = started.ToString();
    if (error != reopen_error_) Log("error", "the log cannot be opened again yet: " + error);
    reopen_error_ = error;
    return;
  }
  wants_reopen_ = false;
  ++reopened_;
  Log("info", absl::StrCat("the disk has room again, the log was reopened at size ",
                           log_->head.size.value()));
}

absl::Status LogWriter::state() const {
  MutexLock lock(mutex_);
  return state_;
}

std::shared_ptr<Backend> LogWriter::backend() const {
  MutexLock lock(mutex_);
  return backend_;
}

void LogWriter::SetState(absl::Status state) {
  MutexLock lock(mutex_);
  state_ = std::move(state);
}

void LogWriter::Log(std::string_view severity, const std::string& message) const {
  if (options_.log) options_.log(severity, message);
}

}  // namespace stele::store
