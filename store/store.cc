#include "store/store.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/admit/admission_pool.h"
#include "store/artifact/artifact_stage.h"
#include "store/backend/rocksdb/rocksdb_index.h"
#include "store/index/memory_index.h"
#include "store/indexer/indexer.h"
#include "store/log/answers.h"
#include "store/log/budget.h"
#include "store/log/log_writer.h"
#include "store/log/published.h"
#include "store/log/sequencer.h"
#include "store/open_log.h"
#include "store/store_folder.h"

namespace stele::store {
namespace {

// Opening replays the log into a flush of up to a write buffer, and writes a manifest and a new
// log.
constexpr uint64_t kReopenSlackBytes = 16ull << 20;

absl::Status Stopping() {
  return Refuse(absl::StatusCode::kUnavailable, reason::kStopping, "",
                "the server is stopping; send it again to the next one");
}

absl::Status QueueFull() {
  return Refuse(absl::StatusCode::kResourceExhausted, reason::kQueueFull, "",
                "too many statements are waiting; send it again in a moment");
}

int ThreadCount(int wanted) {
  return wanted > 0 ? wanted : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// There is one: recovery verified a checkpoint with it, and the writer signs no other.
NoteVerifier NewestSigner(const Head& head, const LogEvents& events, const KeyRing& ring) {
  const std::vector<LogKeySpan> keys = events.LogKeys(ring);
  const NoteVerifier* newest = &keys.front().key;
  const absl::StatusOr<Note> note = ParseNote(head.checkpoint);
  if (!note.ok()) return *newest;
  for (const LogKeySpan& span : keys) {
    const bool has_signed =
        std::any_of(note->signatures.begin(), note->signatures.end(), [&](const NoteSignature& s) {
          return s.name == span.key.name && s.key_hash == span.key.key_hash;
        });
    if (has_signed) newest = &span.key;
  }
  return *newest;
}

std::vector<PrivateKey> AllKeys(PrivateKey log_key, const OpenOptions& options) {
  std::vector<PrivateKey> keys = options.further_log_keys;
  keys.insert(keys.begin(), std::move(log_key));
  return keys;
}

class StoreImpl final : public Store {
 public:
  StoreImpl(const OpenOptions& options, LogOpener reopen, const Recovered& recovered)
      : origin_(recovered.state.head.origin),
        last_verifier_(
            NewestSigner(recovered.state.head, *recovered.state.events, *recovered.state.ring)),
        genesis_leaf_hash_(recovered.genesis_leaf_hash),
        admission_threads_(ThreadCount(options.admission_threads)),
        clock_(options.clock ? options.clock : SystemClock()),
        log_(options.log),
        index_nice_(options.index_nice),
        guests_(options.guests),
        disk_watch_(options.disk_reserve_bytes),
        budget_(options.queue_statements > 0 ? options.queue_statements : limits::kQueueStatements,
                limits::kQueueBytes),
        writer_({.clock = clock_,
                 .log = options.log,
                 .accept_clock = options.accept_clock,
                 .disk_reserve_bytes = options.disk_reserve_bytes,
                 .reopen_room_bytes = options.write_buffer_bytes + kReopenSlackBytes},
                std::move(reopen), published_, answers_),
        stage_(options.artifacts, {.backend = [this] { return writer_.backend(); },
                                   .writable = [this] { return write_state(); },
                                   .write_failed =
                                       [this](const absl::Status& why) {
                                         if (sequencer_) sequencer_->ReportFailedWrite(why);
                                       },
                                   .clock = options.clock ? options.clock : SystemClock(),
                                   .log = options.log}) {}

  ~StoreImpl() override {
    stage_.Stop();
    budget_.Close();  // the threads work off what they hold, then end
  }

  absl::Status Start(OpenedLog opened, IndexOpener open_index) {
    STELE_RETURN_IF_ERROR(writer_.Start(std::move(opened)));
    indexer_ = std::make_unique<Indexer>(
        published_,
        IndexerOptions{.open = std::move(open_index), .nice = index_nice_, .log = log_});
    sequencer_ = std::make_unique<Sequencer>(writer_);
    admission_ = std::make_unique<AdmissionPool>(admission_threads_, published_, guests_, clock_,
                                                 stage_, *sequencer_, answers_);
    return stage_.Start();
  }

  void Publish(std::vector<PublishItem> items, std::shared_ptr<PublishSink> sink) override;
  absl::StatusOr<BegunUpload> BeginUpload(const UploadStart& start) override;
  absl::StatusOr<ArtifactState> FindArtifact(const Digest& digest) const override;
  absl::StatusOr<std::shared_ptr<const Reader>> GetReader() const override {
    return published_.Get();
  }
  bool WaitForHead(TreeSize size, std::chrono::steady_clock::time_point deadline) const override {
    return published_.WaitBeyond(size, deadline);
  }
  absl::StatusOr<std::shared_ptr<const Queries>> GetQueries() const override {
    return indexer_->GetQueries();
  }
  bool WaitForIndex(TreeSize size, std::chrono::steady_clock::time_point deadline) const override {
    return indexer_->WaitUntil(size, deadline);
  }
  const std::string& origin() const override { return origin_; }
  NoteVerifier log_verifier() const override;
  const Hash& genesis_leaf_hash() const override { return genesis_leaf_hash_; }
  absl::Status write_state() const override;
  StoreStats Stats() const override;
  absl::Status Drain(std::chrono::milliseconds timeout) override;

 private:
  const std::string origin_;
  const NoteVerifier last_verifier_;  // as of the start
  const Hash genesis_leaf_hash_;
  const int admission_threads_;
  const Clock clock_;
  const EventLog log_;
  const int index_nice_;
  GuestQuota guests_;  // outlives every statement
  mutable DiskWatch disk_watch_;
  Budget budget_;
  Published published_;
  Answers answers_{budget_, published_};
  LogWriter writer_;
  ArtifactStage stage_;  // outlives what holds something staged
  std::unique_ptr<Indexer> indexer_;
  std::unique_ptr<Sequencer> sequencer_;
  std::unique_ptr<AdmissionPool> admission_;  // goes first: it pushes into the sequencer
};

void StoreImpl::Publish(std::vector<PublishItem> items, std::shared_ptr<PublishSink> sink) {
  std::vector<Arrival> arrivals;
  arrivals.reserve(items.size());
  for (PublishItem& item : items) {
    const size_t bytes = item.bytes();
    switch (budget_.Take(bytes)) {
      case Budget::Taken::kYes:
        arrivals.push_back({std::move(item), sink, bytes, absl::OkStatus()});
        break;
      case Budget::Taken::kFull:
        arrivals.push_back({PublishItem{.tag = item.tag}, sink, 0, QueueFull()});
        break;
      case Budget::Taken::kClosed:
        arrivals.push_back({PublishItem{.tag = item.tag}, sink, 0, Stopping()});
        break;
    }
  }
  admission_->Push(std::move(arrivals));
}

NoteVerifier StoreImpl::log_verifier() const {
  const auto reader = published_.Get();
  if (!reader.ok()) return last_verifier_;  // being reopened
  return NewestSigner((*reader)->head(), (*reader)->events(), (*reader)->ring());
}

// What is content already, in whichever way; NOT_FOUND if it is not.
absl::StatusOr<ArtifactState> StateOfStored(const Reader& reader, const Digest& digest) {
  const absl::StatusOr<ArtifactRow> artifact = reader.Artifact(digest);
  if (artifact.ok()) {
    return ArtifactState{ArtifactState::Phase::kStored, artifact->size, artifact->size};
  }
  if (!absl::IsNotFound(artifact.status())) return artifact.status();
  STELE_ASSIGN_OR_RETURN(const std::string bytes, reader.Content(digest));
  return ArtifactState{ArtifactState::Phase::kStored, bytes.size(), bytes.size()};
}

absl::StatusOr<ArtifactState> StoreImpl::FindArtifact(const Digest& digest) const {
  STELE_ASSIGN_OR_RETURN(const auto reader, published_.Get());
  absl::StatusOr<ArtifactState> stored = StateOfStored(*reader, digest);
  if (!absl::IsNotFound(stored.status()) || ReasonOf(stored.status()) == reason::kWithheld) {
    return stored;
  }
  STELE_ASSIGN_OR_RETURN(const std::optional<ArtifactState> staged, stage_.Find(digest));
  if (staged) return *staged;
  return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "",
                absl::StrCat("nothing of ", digest.ToText(), " is here"));
}

absl::StatusOr<BegunUpload> StoreImpl::BeginUpload(const UploadStart& start) {
  STELE_RETURN_IF_ERROR(write_state());
  STELE_ASSIGN_OR_RETURN(const auto reader, published_.Get());
  STELE_RETURN_IF_ERROR(CheckUpload(start, *reader));
  absl::StatusOr<ArtifactState> state = StateOfStored(*reader, start.digest);
  if (ReasonOf(state.status()) == reason::kWithheld) {
    return Refuse(absl::StatusCode::kFailedPrecondition, reason::kWithheld, "/start/digest",
                  std::string(state.status().message()));
  }
  if (absl::IsNotFound(state.status())) {
    STELE_ASSIGN_OR_RETURN(auto upload, stage_.Begin(start.digest, start.size, start.offset));
    if (upload != nullptr) {
      return BegunUpload{{ArtifactState::Phase::kPartial, start.size, start.offset},
                         std::move(upload)};
    }
    state = ArtifactState{ArtifactState::Phase::kStaged, start.size, start.size};
  }
  STELE_RETURN_IF_ERROR(state.status());
  if (state->size == start.size) return BegunUpload{*state, nullptr};
  return RefuseInput(
      reason::kContentMismatch, "/start/size",
      absl::StrCat(start.digest.ToText(), " has ", state->size, " bytes, not ", start.size));
}

absl::Status StoreImpl::write_state() const {
  if (budget_.closed()) return Stopping();
  STELE_RETURN_IF_ERROR(writer_.state());
  const std::shared_ptr<Backend> backend = writer_.backend();
  return backend != nullptr ? disk_watch_.Check(*backend) : absl::OkStatus();
}

StoreStats StoreImpl::Stats() const {
  const Answers::Counts counts = answers_.counts();
  const Budget::Held held = budget_.held();
  StoreStats stats;
  if (auto reader = published_.Get(); reader.ok()) {
    stats.tree_size = (*reader)->head().size.value();
  }
  stats.queued = held.statements;
  stats.queued_bytes = held.bytes;
  stats.commits = writer_.commits();
  stats.appended = counts.appended;
  stats.replayed = counts.replayed;
  stats.refused = counts.refused;
  stats.guard_syncs = writer_.guard_syncs();
  stats.reopened = writer_.reopened();
  const StageBook::Totals staged = stage_.totals();
  stats.staged_artifacts = staged.artifacts;
  stats.staged_bytes = staged.bytes;
  stats.uploads = staged.uploads;
  if (auto backend = writer_.backend(); backend != nullptr) stats.backend = backend->Stats();
  const Indexer::Progress index = indexer_->progress();
  stats.index_applied = index.applied.value();
  stats.index_state = index.state;
  stats.backend.insert(stats.backend.end(), index.stats.begin(), index.stats.end());
  return stats;
}

absl::Status StoreImpl::Drain(std::chrono::milliseconds timeout) {
  budget_.Close();
  // Nobody waits longer, and a larger number would not fit the clock.
  constexpr std::chrono::milliseconds kLongest = std::chrono::hours(24);
  const auto deadline = std::chrono::steady_clock::now() + std::min(timeout, kLongest);
  if (budget_.WaitUntilIdle(deadline)) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat(
      "after ", timeout.count(), " ms ", budget_.unanswered(), " statements are unanswered"));
}

absl::StatusOr<std::unique_ptr<Store>> StartStore(const OpenOptions& options, OpenedLog opened,
                                                  LogOpener reopen, IndexOpener open_index) {
  auto store = std::make_unique<StoreImpl>(options, std::move(reopen), opened.recovered);
  STELE_RETURN_IF_ERROR(store->Start(std::move(opened), std::move(open_index)));
  return store;
}

IndexOpener IndexInFolder(const std::filesystem::path& dir, const EventLog& log) {
  return [dir, log](bool create) {
    return OpenRocksDbIndex({.dir = dir, .create = create, .log = log});
  };
}

// Derived anew at every start.
absl::StatusOr<std::unique_ptr<IndexStore>> IndexInMemory(bool create) {
  if (!create) return absl::NotFoundError("an index in memory ends with its store");
  return MakeMemoryIndex();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Store>> Store::Open(const OpenOptions& options) {
  const StorePaths paths = PathsOf(options.dir, options.guard);
  STELE_RETURN_IF_ERROR(CheckStoreFolder(paths));
  STELE_ASSIGN_OR_RETURN(PrivateKey log_key, ReadLogKey(paths));
  const std::vector<PrivateKey> keys = AllKeys(std::move(log_key), options);
  STELE_ASSIGN_OR_RETURN(OpenedLog opened, OpenLog(paths, options, keys));
  // The guard that accept_no_guard allowed to be missing is there from now on.
  OpenOptions again = options;
  again.accept_no_guard = false;
  LogOpener reopen = [paths, again, keys] { return OpenLog(paths, again, keys); };
  return StartStore(options, std::move(opened), std::move(reopen),
                    IndexInFolder(paths.index, options.log));
}

absl::StatusOr<std::unique_ptr<Store>> Store::OverBackend(std::shared_ptr<Backend> backend,
                                                          PrivateKey log_key,
                                                          const OpenOptions& options) {
  STELE_ASSIGN_OR_RETURN(Recovered recovered,
                         Recover(*backend, AllKeys(std::move(log_key), options)));
  OpenedLog opened{nullptr, std::move(backend), std::move(recovered)};
  return StartStore(options, std::move(opened), nullptr, IndexInMemory);
}

absl::StatusOr<std::unique_ptr<Store>> Store::OverBackend(BackendOpener open, PrivateKey log_key,
                                                          const OpenOptions& options) {
  LogOpener opener = [open = std::move(open),
                      keys = AllKeys(std::move(log_key), options)]() -> absl::StatusOr<OpenedLog> {
    STELE_ASSIGN_OR_RETURN(std::shared_ptr<Backend> backend, open());
    STELE_ASSIGN_OR_RETURN(Recovered recovered, Recover(*backend, keys));
    return OpenedLog{nullptr, std::move(backend), std::move(recovered)};
  };
  STELE_ASSIGN_OR_RETURN(OpenedLog opened, opener());
  return StartStore(options, std::move(opened), std::move(opener), IndexInMemory);
}

}  // namespace stele::store
