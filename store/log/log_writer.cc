#include "store/log/log_writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/log/commit.h"
#include "store/log/find_facts.h"
#include "store/log/receipts.h"

namespace stele::store {
namespace {

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
      key_watch_(options_.log),
      disk_watch_(options_.disk_reserve_bytes),
      reopen_watch_(std::max(options_.disk_reserve_bytes, options_.reopen_room_bytes)) {}

absl::Status LogWriter::Start(OpenedLog opened) {
  STELE_RETURN_IF_ERROR(Show(opened.recovered.state, std::move(opened.recovered.snapshot)));
  log_ = std::move(opened.recovered.state);
  recent_.Reset(log_->head.size);
  signer_ = std::move(opened.recovered.signer);
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
  LookAtKeys();
  return absl::OkStatus();
}

bool LogWriter::Process(std::vector<Submission>& batch) {
  if (absl::Status ready = CheckReady(); !ready.ok()) {
    Refuse(std::move(batch), ready);
    return true;
  }
  return MayLackAKey(batch) ? ProcessOneByOne(batch) : ProcessAtOnce(batch);
}

bool LogWriter::ProcessAtOnce(std::vector<Submission>& batch) {
  const std::vector<StatementFacts> facts = FindFacts(batch);
  absl::StatusOr<PlannedBatch> planned = PlanBatch(*log_, Statements(batch), facts, now_);
  absl::Status written = planned.status();
  if (written.ok() && !planned->plan.entries.empty()) {
    const LogState& next = planned->next;
    const absl::Status can_sign =
        signer_->CheckCanSign(next.head.size, next.events->LogKeys(*next.ring));
    if (!can_sign.ok()) {
      Refuse(std::move(batch), can_sign);
      return true;
    }
    written = Commit(*planned);
  }
  if (!written.ok()) {
    Fail(written);
    return false;
  }
  Acknowledge(std::move(batch), *std::move(planned));
  return true;
}

// Whether the batch may lead to a size that no held key can sign: by its length, or by what it says
// of log keys, a revocation too, which may dispute them.
bool LogWriter::MayLackAKey(const std::vector<Submission>& batch) const {
  const auto& end = key_watch_.end();
  if (end && log_->head.size.value() + batch.size() >= end->value()) return true;
  return std::any_of(batch.begin(), batch.end(), [](const Submission& submission) {
    const StatementType type = submission.statement->statement.type;
    return type == StatementType::kLogKey || type == StatementType::kKeyRevoke;
  });
}

// So what comes before that size goes into the log, and what is in it already is answered.
bool LogWriter::ProcessOneByOne(std::vector<Submission>& batch) {
  for (size_t i = 0; i < batch.size(); ++i) {
    std::vector<Submission> one;
    one.push_back(std::move(batch[i]));
    if (ProcessAtOnce(one)) continue;
    batch.erase(batch.begin(), batch.begin() + static_cast<ptrdiff_t>(i) + 1);
    std::move(one.begin(), one.end(), std::back_inserter(batch));
    return false;
  }
  return true;
}

absl::Status LogWriter::CheckReady() {
  STELE_RETURN_IF_ERROR(own_state());
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
std::vector<StatementFacts> LogWriter::FindFacts(std::vector<Submission>& batch) {
  std::vector<StatementFacts> facts;
  std::vector<Submission> kept;
  std::vector<Answer> failed;
  facts.reserve(batch.size());
  kept.reserve(batch.size());
  // Only this thread moves what is published: it is the moment of log_.
  const absl::StatusOr<std::shared_ptr<const SnapshotReader>> reader = published_.Get();
  for (Submission& submission : batch) {
    absl::StatusOr<StatementFacts> found =
        reader.ok() ? FindStatementFacts((*reader)->snapshot(), recent_, *submission.statement)
                    : absl::StatusOr<StatementFacts>(reader.status());
    if (found.ok()) {
      facts.push_back(*std::move(found));
      kept.push_back(std::move(submission));
    } else {
      failed.push_back(
          {std::move(submission.sink), {submission.tag, found.status()}, submission.held_bytes});
    }
  }
  batch = std::move(kept);
  answers_.Deliver(std::move(failed));
  return facts;
}

absl::Status LogWriter::Commit(PlannedBatch& planned) {
  const std::shared_ptr<Backend> backend = this->backend();
  STELE_RETURN_IF_ERROR(SignAndCommit(*backend, *signer_, planned));
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
  LookAtKeys();
  return absl::OkStatus();
}

absl::Status LogWriter::Show(const LogState& state, std::shared_ptr<const Snapshot> snapshot) {
  STELE_ASSIGN_OR_RETURN(auto reader, SnapshotReader::Make(std::move(snapshot), state.ring,
                                                           state.events, state.edge, tiles_));
  published_.Set(std::move(reader));
  return absl::OkStatus();
}

void LogWriter::Acknowledge(std::vector<Submission> batch, PlannedBatch planned) {
  // Only this thread moves the published head, so this is the one just committed.
  absl::StatusOr<std::shared_ptr<const SnapshotReader>> reader = published_.Get();
  if (!reader.ok()) return Refuse(std::move(batch), reader.status());
  for (size_t i = 0; i < batch.size(); ++i) {
    const AdmittedStatement& statement = *batch[i].statement;
    if (statement.guest && std::holds_alternative<Appended>(planned.decisions[i])) {
      statement.guest->Keep();
    }
  }
  std::vector<absl::StatusOr<Receipt>> results = MakeReceipts(**reader, Statements(batch), planned);
  std::vector<Answer> answers;
  answers.reserve(batch.size());
  for (size_t i = 0; i < batch.size(); ++i) {
    answers.push_back(
        {std::move(batch[i].sink), {batch[i].tag, std::move(results[i])}, batch[i].held_bytes});
  }
  batch.clear();  // what they held staged is content by now, and counts so once it is answered
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

absl::Status LogWriter::state() const {
  MutexLock lock(mutex_);
  return state_.ok() ? key_state_ : state_;
}

absl::Status LogWriter::own_state() const {
  MutexLock lock(mutex_);
  return state_;
}

void LogWriter::LookAtKeys() {
  absl::Status keys = key_watch_.Look(*signer_, *log_);
  MutexLock lock(mutex_);
  if (key_state_.ok() && !keys.ok()) Log("error", std::string(keys.message()));
  key_state_ = std::move(keys);
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
