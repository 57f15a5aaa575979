#include "client/audit/auditor.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "client/audit/audit_store.h"
#include "client/audit/batch_reader.h"
#include "client/audit/checks.h"
#include "client/audit/second_look.h"
#include "client/source/measure.h"
#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/quorum.h"

namespace stele::client {
namespace {

// Between two synchronisations of the journal.
constexpr uint64_t kSyncEntries = 64 * 1024;

class Auditor {
 public:
  Auditor(Source& source, const AuditOptions& options)
      : source_(source),
        options_(options),
        threads_(options.threads > 0 ? options.threads
                                     : std::max(1u, std::thread::hardware_concurrency())) {}

  absl::StatusOr<AuditReport> Run();

 private:
  absl::Status OpenHead();
  absl::Status OpenStore();
  absl::Status Resume();
  absl::Status ReadOn();
  absl::Status TakeBatch(std::vector<BatchEntry> batch);
  absl::Status CheckAll();
  absl::Status CheckHead();
  absl::Status CheckRoot();
  absl::Status CheckKnown() const;
  absl::Status CheckTiles();
  absl::Status CheckSigners();
  absl::Status Save();
  absl::Status ForgetDoubtful();
  absl::StatusOr<bool> SomethingIsBack();
  void Progress() const;
  AuditReport Report() const;

  TreeSize target() const { return head_.checkpoint.size; }
  // The source shows a head below what was proven before.
  bool Stale() const { return log_->size() > target(); }

  Source& source_;
  const AuditOptions& options_;
  const size_t threads_;
  std::string note_;
  SignedCheckpoint head_;
  std::vector<std::string> unsigned_by_;
  std::unique_ptr<AuditStore> store_;  // null without a state file
  std::unique_ptr<AuditedLog> log_;
  std::unique_ptr<BatchReader> reader_;
  TreeSize resumed_;
  uint64_t unsynced_ = 0;
  absl::Status tile_fault_;  // the first; entries that lead to another root are told first
};

absl::Status Auditor::OpenHead() {
  absl::StatusOr<std::string> note = source_.Checkpoint();
  if (!note.ok()) return AsRefusal(note.status());
  note_ = *std::move(note);
  if (!options_.policy) {
    STELE_ASSIGN_OR_RETURN(head_.checkpoint, ReadCheckpoint(note_));
    return absl::OkStatus();
  }
  absl::StatusOr<TrustedCheckpoint> opened = OpenCheckpoint(note_, *options_.policy);
  if (!opened.ok()) return Untrusted("the checkpoint", opened.status());
  head_ = {std::move(opened->checkpoint), std::move(opened->signers)};
  return absl::OkStatus();
}

absl::Status Auditor::OpenStore() {
  if (!options_.state) return absl::OkStatus();
  STELE_ASSIGN_OR_RETURN(store_, AuditStore::Open(*options_.state));
  const std::optional<AuditState>& state = store_->state();
  if (!state || state->checkpoint.origin == head_.checkpoint.origin) return absl::OkStatus();
  return Untrusted(Concat(source_.name(), " has the log ", head_.checkpoint.origin, ", ",
                          options_.state->string(), " is of ", state->checkpoint.origin));
}

// Takes in what the journal has.
absl::Status Auditor::Resume() {
  std::vector<TreeSize> watched = {target()};
  for (const KnownCheckpoint& known : options_.known) watched.push_back(known.checkpoint.size);
  if (store_ && store_->state()) watched.push_back(store_->state()->checkpoint.size);
  log_ = std::make_unique<AuditedLog>(watched);
  reader_ = std::make_unique<BatchReader>(source_, head_.checkpoint.origin, threads_);
  resumed_ = TreeSize(0);
  if (!store_) return absl::OkStatus();
  const auto take = [&](AuditedEntry entry) {
    if (entry.said.reading == Said::Reading::kWhole) reader_->AddKeysOf(entry.said.statement);
    log_->Add(entry);
    log_->edge().ForgetFinished();
  };
  STELE_RETURN_IF_ERROR(store_->Load(head_.checkpoint.origin, take));
  resumed_ = log_->size();
  // Beyond what was proven there may be entries of a head that the source no longer shows.
  if (Stale() && store_->Unproven(log_->size())) {
    STELE_RETURN_IF_ERROR(store_->ForgetUnproven());
    return Resume();
  }
  return absl::OkStatus();
}

void Auditor::Progress() const {
  if (options_.progress) options_.progress({log_->size().value(), target().value()});
}

absl::Status Auditor::ReadOn() {
  while (log_->size() < target()) {
    Progress();
    const uint64_t start = log_->size().value();
    const uint64_t count =
        std::min(options_.batch_entries - start % options_.batch_entries, target().value() - start);
    auto batch = reader_->Read(EntryIndex(start), count, target());
    if (!batch.ok()) return AsRefusal(batch.status());
    STELE_RETURN_IF_ERROR(TakeBatch(*std::move(batch)));
  }
  return absl::OkStatus();
}

absl::Status Auditor::TakeBatch(std::vector<BatchEntry> batch) {
  FrameBuilder frames;
  std::string journal;
  for (BatchEntry& entry : batch) {
    if (store_) frames.Add(entry.leaf_hash, entry.read, entry.content_faults);
    if (frames.count() == limits::kTileWidth) journal += frames.Take();
    log_->Add({entry.leaf_hash, std::move(entry.read.said), std::move(entry.content_faults)});
  }
  if (frames.count() > 0) journal += frames.Take();
  if (tile_fault_.ok()) {
    tile_fault_ = CompareTiles(source_, log_->edge().finished(), threads_);
    if (!tile_fault_.ok() && !IsTileMismatch(tile_fault_)) return tile_fault_;
  }
  log_->edge().ForgetFinished();
  // Entries with tiles that differ are to be read again.
  if (!store_ || !tile_fault_.ok()) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(store_->Append(journal));
  unsynced_ += batch.size();
  if (unsynced_ < kSyncEntries) return absl::OkStatus();
  unsynced_ = 0;
  return store_->Sync();
}

absl::Status Auditor::CheckKnown() const {
  for (const KnownCheckpoint& known : options_.known) {
    if (known.checkpoint.size > target()) continue;
    const std::optional<Hash> root = log_->RootAt(known.checkpoint.size);
    if (root && *root != known.checkpoint.root) {
      return Contradiction(note_, known.note, known.checkpoint.size, *root);
    }
  }
  return absl::OkStatus();
}

absl::Status Auditor::CheckRoot() {
  const std::optional<AuditState> state = store_ ? store_->state() : std::nullopt;
  const std::optional<Hash> root = log_->RootAt(target());
  const std::optional<Hash> earlier = state ? log_->RootAt(state->checkpoint.size) : std::nullopt;
  const bool contradicts = state && earlier && *earlier != state->checkpoint.root;
  if (root == head_.checkpoint.root && !contradicts) return absl::OkStatus();
  if (root == head_.checkpoint.root)
    return Contradiction(note_, state->note, state->checkpoint.size, *earlier);
  if (resumed_ == TreeSize(0)) return RootMismatch(head_.checkpoint, *root, tile_fault_);
  // Some entries were read by an earlier run: which side is at fault?
  return SecondLook(source_, note_, head_.checkpoint, state, threads_);
}

absl::Status Auditor::CheckTiles() {
  if (!tile_fault_.ok() || Stale() || resumed_ == target()) return tile_fault_;
  return CompareTiles(source_, UnfinishedTiles(log_->edge()), threads_);
}

absl::Status Auditor::CheckSigners() {
  const std::vector<LogKeySpan> keys = log_->replay().LogKeys();
  if (!options_.policy) {
    STELE_ASSIGN_OR_RETURN(head_, OpenWithLogKeys(note_, keys));
  }
  if (Stale()) return absl::OkStatus();  // which keys were current at that size is not at hand
  STELE_ASSIGN_OR_RETURN(unsigned_by_, JudgeSigners(note_, keys, head_));
  return absl::OkStatus();
}

absl::Status Auditor::CheckHead() {
  STELE_RETURN_IF_ERROR(CheckRoot());
  STELE_RETURN_IF_ERROR(CheckKnown());
  if (options_.genesis && log_->genesis() && *options_.genesis != *log_->genesis()) {
    return Untrusted(Concat("entry 0 has the leaf hash ", log_->genesis()->ToText(), ", pinned is ",
                            options_.genesis->ToText()));
  }
  STELE_RETURN_IF_ERROR(CheckTiles());
  return CheckSigners();
}

absl::Status Auditor::Save() {
  if (!store_ || Stale() || !log_->genesis()) return absl::OkStatus();
  return store_->Prove(note_, head_.checkpoint, *log_->genesis());
}

// What an earlier run missed may be there by now, and verdicts hang on it.
absl::StatusOr<bool> Auditor::SomethingIsBack() {
  if (resumed_ == TreeSize(0)) return false;
  const std::vector<Digest> missing = log_->Missing();
  std::vector<Digest> perhaps_large;
  bool back = false;
  const absl::Status asked =
      source_.Content(missing, [&](size_t at, const std::optional<std::string>& bytes) {
        back = back || bytes.has_value();
        if (!bytes) perhaps_large.push_back(missing[at]);
        return absl::OkStatus();
      });
  if (!asked.ok()) return AsRefusal(asked);
  for (size_t i = 0; !back && i < perhaps_large.size(); ++i) {
    const auto size = MeasureArtifact(source_, perhaps_large[i]);
    if (!size.ok()) return AsRefusal(size.status());
    back = size->has_value();
  }
  return back;
}

// What did not lead to the checkpoint is to be read again; what was proven before is not.
absl::Status Auditor::ForgetDoubtful() {
  const std::optional<AuditState>& state = store_->state();
  const bool proven_kept = state && resumed_ >= state->checkpoint.size;
  return proven_kept ? store_->ForgetUnproven() : store_->ForgetAll();
}

AuditReport Auditor::Report() const {
  AuditReport report;
  report.note = note_;
  report.checkpoint = head_.checkpoint;
  report.signers = head_.signers;
  report.unsigned_by = unsigned_by_;
  report.resumed = resumed_;
  if (store_ && store_->earlier()) {
    const Checkpoint& earlier = store_->earlier()->checkpoint;
    report.earlier = earlier;
    report.earlier_compared = log_->RootAt(earlier.size).has_value();
  }
  Count(log_->replay(), report);
  report.contents = reader_->contents();
  report.content_bytes = reader_->content_bytes();
  report.faults = log_->Faults();
  return report;
}

absl::Status Auditor::CheckAll() {
  tile_fault_ = absl::OkStatus();
  STELE_RETURN_IF_ERROR(Resume());
  STELE_ASSIGN_OR_RETURN(const bool back, SomethingIsBack());
  if (back) {
    STELE_RETURN_IF_ERROR(store_->ForgetAll());
    STELE_RETURN_IF_ERROR(Resume());
  }
  STELE_RETURN_IF_ERROR(ReadOn());
  Progress();
  return CheckHead();
}

absl::StatusOr<AuditReport> Auditor::Run() {
  STELE_RETURN_IF_ERROR(OpenHead());
  STELE_RETURN_IF_ERROR(OpenStore());
  absl::Status head = CheckAll();
  if (absl::IsAborted(head)) {
    STELE_RETURN_IF_ERROR(store_->ForgetAll());
    head = CheckAll();
  }
  if (absl::IsDataLoss(head) && store_) STELE_RETURN_IF_ERROR(ForgetDoubtful());
  if (!head.ok()) return head;
  STELE_RETURN_IF_ERROR(Save());
  return Report();
}

}  // namespace

absl::StatusOr<AuditReport> Audit(Source& source, const AuditOptions& options) {
  return Auditor(source, options).Run();
}

}  // namespace stele::client
