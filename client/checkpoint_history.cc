#include "client/checkpoint_history.h"

#include <utility>

#include "client/status.h"
#include "core/base/client_limits.h"
#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

// A busy log signs many checkpoints a second: not each is written at once.
constexpr std::chrono::milliseconds kBetweenSaves{250};
constexpr size_t kHeads = 2 * limits::kKeptCheckpoints;  // in memory

// Was the proof not to be had now, rather than not at all?
bool IsTransient(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status) || absl::IsCancelled(status);
}

}  // namespace

CheckpointHistory::CheckpointHistory(CheckpointFiles files, std::vector<NoteVerifier> keys,
                                     Prove prove, Notify notify)
    : files_(std::move(files)),
      keys_(std::move(keys)),
      prove_(std::move(prove)),
      notify_(std::move(notify)) {}

absl::StatusOr<std::unique_ptr<CheckpointHistory>> CheckpointHistory::Open(
    CheckpointFiles files, std::vector<NoteVerifier> keys, Prove prove, Notify notify) {
  std::unique_ptr<CheckpointHistory> history(new CheckpointHistory(
      std::move(files), std::move(keys), std::move(prove), std::move(notify)));
  STELE_ASSIGN_OR_RETURN(const std::vector<KeptCheckpoint> kept, history->files_.Load());
  MutexLock lock(history->mutex_);
  for (const KeptCheckpoint& one : kept) {
    STELE_ASSIGN_OR_RETURN(Head head, history->Read(one));
    history->Remember(one.size, std::move(head));
    history->kept_before_ = history->saved_ = one.size;
  }
  return history;
}

CheckpointHistory::~CheckpointHistory() {
  MutexLock lock(mutex_);
  if (heads_.empty() || heads_.rbegin()->first <= saved_) return;
  const auto& [size, head] = *heads_.rbegin();
  // Another process that kept a larger one meanwhile is left alone: the next run proves it.
  const auto other = files_.Keep({size, head.note}, saved_);
  if (!other.ok() && !told_unkept_) {
    Say(Concat("the checkpoint is not kept: ", std::string(other.status().message())));
  }
}

void CheckpointHistory::Say(std::string_view sentence) const {
  if (notify_) notify_(sentence);
}

void CheckpointHistory::Remember(TreeSize size, Head head) {
  heads_.insert_or_assign(size, std::move(head));
  if (heads_.size() > kHeads) heads_.erase(heads_.begin());
}

absl::StatusOr<CheckpointHistory::Head> CheckpointHistory::Read(const KeptCheckpoint& kept) const {
  const std::string path = files_.PathOf(kept.size).string();
  const absl::StatusOr<SignedCheckpoint> opened = OpenCheckpoint(kept.note, keys_);
  if (ReasonOf(opened.status()) == reason::kCheckpointUnsigned) {
    return Untrusted(
        Concat("the checkpoint kept in ", path, " is signed by none of the log's keys that are ",
               "trusted now.\nDo not trust this source, unless you know why the log changed; then ",
               "remove the folder ", files_.folder().string()));
  }
  if (opened.ok() && opened->checkpoint.size == kept.size) {
    return Head{kept.note, opened->checkpoint.root};
  }
  return absl::FailedPreconditionError(
      Concat(path, " is not the checkpoint that was kept there; remove it"));
}

absl::Status CheckpointHistory::Join(std::string_view note, const Checkpoint& checkpoint) {
  MutexLock lock(mutex_);
  Head head{std::string(note), checkpoint.root};
  if (checkpoint.size.value() > 0) {
    STELE_RETURN_IF_ERROR(Connect(checkpoint.size, head));
    Remember(checkpoint.size, std::move(head));
  }
  if (checkpoint.size < kept_before_ && !std::exchange(told_stale_, true)) {
    Say(Concat("the server is stale: it shows a log of ", checkpoint.size.value(), " entries, ",
               kept_before_.value(),
               " were verified before; those it shows are the first of them"));
  }
  if (checkpoint.size <= saved_) return absl::OkStatus();
  const auto now = std::chrono::steady_clock::now();
  if (saved_at_ != std::chrono::steady_clock::time_point() && now - saved_at_ < kBetweenSaves) {
    return absl::OkStatus();
  }
  saved_at_ = now;
  return Save();
}

// Is `head` of one log with the largest known?
absl::Status CheckpointHistory::Connect(TreeSize size, const Head& head) {
  if (heads_.empty()) return absl::OkStatus();
  if (const auto same = heads_.find(size); same != heads_.end()) {
    if (same->second.root == head.root) return absl::OkStatus();
    return Contradiction(same->second, head,
                         absl::DataLossError("two different trees of one size"));
  }
  const auto& [known_size, known] = *heads_.rbegin();
  const bool grew = size > known_size;
  const TreeSize from = grew ? known_size : size;
  const TreeSize to = grew ? size : known_size;
  const absl::StatusOr<Proof> proof = prove_(from, to);
  if (IsTransient(proof.status())) return proof.status();
  const absl::Status begins = proof.ok()
                                  ? VerifyConsistency(from, to, grew ? known.root : head.root,
                                                      grew ? head.root : known.root, *proof)
                                  : proof.status();
  if (begins.ok()) return begins;
  return Contradiction(known, head,
                       absl::DataLossError(Concat(
                           "the tree of ", to.value(), " entries is not proven to begin with ",
                           "that of ", from.value(), " (", std::string(begins.message()), ")")));
}

absl::Status CheckpointHistory::Contradiction(const Head& kept, const Head& shown,
                                              const absl::Status& why) const {
  const std::string notes =
      Concat("--- verified before\n", kept.note, "--- shown now\n", shown.note);
  const absl::StatusOr<std::filesystem::path> aside = files_.KeepAside(notes);
  return absl::DataLossError(
      Concat("the log contradicts what it showed before: ", std::string(why.message()),
             "\nBoth checkpoints are signed by its key. They are below",
             aside.ok() ? Concat(", and in ", aside->string()) : std::string(),
             ": keep them, they may prove that the log has two histories.\nDo not trust this "
             "source, unless "
             "you know why the log changed; then remove the folder ",
             files_.folder().string(), "\n", notes));
}

// The larger one of those that processes keep at the same time stays, once both are proven to be of
// one log.
absl::Status CheckpointHistory::Save() {
  while (heads_.rbegin()->first > saved_) {
    const auto& [size, head] = *heads_.rbegin();
    const auto other = files_.Keep({size, head.note}, saved_);
    if (!other.ok()) {
      if (!std::exchange(told_unkept_, true)) {
        Say(Concat("the checkpoint is not kept: ", std::string(other.status().message())));
      }
      return absl::OkStatus();
    }
    if (!other->has_value()) {
      saved_ = size;
      return absl::OkStatus();
    }
    STELE_RETURN_IF_ERROR(TakeIn(**other));
    saved_ = (*other)->size;
  }
  return absl::OkStatus();
}

absl::Status CheckpointHistory::TakeIn(const KeptCheckpoint& other) {
  STELE_ASSIGN_OR_RETURN(Head head, Read(other));
  STELE_RETURN_IF_ERROR(Connect(other.size, head));
  Remember(other.size, std::move(head));
  return absl::OkStatus();
}

}  // namespace stele::client
