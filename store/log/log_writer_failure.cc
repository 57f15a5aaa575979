// What follows a write that failed: refusing, and opening the log again once a full disk has room.
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/refusal.h"
#include "store/log/log_writer.h"

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

}  // namespace

void LogWriter::RefuseUnwritten(std::vector<Submission> unwritten) {
  Refuse(std::move(unwritten), Unwritten(state()));
}

void LogWriter::NoteFailedWrite(const absl::Status& why) {
  const std::shared_ptr<Backend> backend = this->backend();
  if (own_state().ok() && backend != nullptr && backend->poisoned()) Fail(why);
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

}  // namespace stele::store
