#include "store/indexer/indexer.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/index/index_queries.h"
#include "store/indexer/applier.h"

namespace stele::store {
namespace {

constexpr std::chrono::seconds kTryAgain{1};

absl::StatusOr<IndexPosition> PositionOf(const IndexStore& index) {
  STELE_ASSIGN_OR_RETURN(const auto snapshot, index.GetSnapshot());
  return snapshot->position();
}

// Of the calling thread alone. What refuses it costs no correctness.
void BeNice(int nice) { setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), nice); }

}  // namespace

absl::StatusOr<std::unique_ptr<IndexStore>> OpenIndexOf(const Snapshot& log,
                                                        const IndexOpener& open,
                                                        const EventLog& say) {
  absl::StatusOr<std::unique_ptr<IndexStore>> opened = open(false);
  absl::Status why = opened.status();
  if (opened.ok()) {
    const absl::StatusOr<IndexPosition> position = PositionOf(**opened);
    why = position.status();
    if (position.ok()) {
      why = CheckIndexPosition(log, *position);
      if (why.ok()) return opened;
      if (!absl::IsFailedPrecondition(why)) return why;  // the log could not be read
    }
  }
  if (absl::IsUnavailable(why) || absl::IsResourceExhausted(why)) return why;
  if (!absl::IsNotFound(why) && say) {
    say("warning",
        Concat("the index is thrown away and derived anew: ", std::string(why.message())));
  }
  opened = absl::NotFoundError("");  // lets go of it
  return open(true);
}

Indexer::Indexer(const Published& published, IndexerOptions options)
    : published_(published), options_(std::move(options)) {
  Open().IgnoreError();  // the thread tries again, and says why it cannot
  thread_ = std::thread([this] { Run(); });
}

Indexer::~Indexer() {
  stopping_ = true;
  published_.Wake();
  {
    MutexLock lock(mutex_);
    moved_.NotifyAll();
  }
  thread_.join();
}

void Indexer::Run() {
  BeNice(options_.nice);
  while (!stopping_) {
    const absl::Status end = Follow();
    if (stopping_) break;
    if (absl::IsDataLoss(end)) {
      Close(IndexState::kStopped, end);
      Say("error", Concat("the index stopped at entry ", progress().applied.value(), ": ",
                          std::string(end.message()),
                          "; lists and cohorts stay as they are, publishing goes on. If stele fsck "
                          "finds the log whole, stele reindex derives the index anew"));
      return;
    }
    if (last_error_ != end.message()) {
      last_error_ = std::string(end.message());
      Say("warning", Concat("the index waits: ", last_error_));
    }
    Close(IndexState::kFollowing, end);
    if (!Pause()) break;
  }
}

absl::Status Indexer::Open() {
  STELE_ASSIGN_OR_RETURN(const auto reader, published_.Get());
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<IndexStore> index,
                         OpenIndexOf(reader->snapshot(), options_.open, options_.log));
  STELE_ASSIGN_OR_RETURN(const IndexPosition position, PositionOf(*index));
  MutexLock lock(mutex_);
  index_ = std::move(index);
  applied_ = position.applied;
  to_rebuild_ = applied_ == TreeSize(0) ? reader->head().size : applied_;
  state_ = applied_ < to_rebuild_ ? IndexState::kRebuilding : IndexState::kFollowing;
  moved_.NotifyAll();
  return absl::OkStatus();
}

absl::Status Indexer::Follow() {
  if (index() == nullptr) STELE_RETURN_IF_ERROR(Open());
  const std::shared_ptr<IndexStore> index = this->index();
  STELE_ASSIGN_OR_RETURN(IndexPosition position, PositionOf(*index));
  const auto stop = [this] { return stopping_.load(); };
  IndexApplier applier(*index, std::move(position), stop);
  while (published_.WaitBeyondUnless(applier.position().applied, stop)) {
    const auto reader = published_.Get();
    if (!reader.ok()) continue;  // it is just being reopened
    STELE_RETURN_IF_ERROR(applier.ApplyBatch((*reader)->snapshot()));
    last_error_.clear();
    Show(applier.position().applied);
  }
  return absl::OkStatus();
}

void Indexer::Show(TreeSize applied) {
  MutexLock lock(mutex_);
  applied_ = applied;
  if (applied_ >= to_rebuild_) state_ = IndexState::kFollowing;
  moved_.NotifyAll();
}

std::shared_ptr<IndexStore> Indexer::index() const {
  MutexLock lock(mutex_);
  return index_;
}

// A stopped one stays open for reading.
void Indexer::Close(IndexState state, const absl::Status& why) {
  MutexLock lock(mutex_);
  state_ = state;
  closed_because_ = std::string(why.message());
  if (state != IndexState::kStopped) index_ = nullptr;
}

bool Indexer::Pause() {
  const auto deadline = std::chrono::steady_clock::now() + kTryAgain;
  MutexLock lock(mutex_);
  while (!stopping_ && moved_.WaitUntil(mutex_, deadline)) {
  }
  return !stopping_;
}

absl::StatusOr<std::shared_ptr<const Queries>> Indexer::GetQueries() const {
  std::shared_ptr<IndexStore> index;
  IndexState state = IndexState::kStopped;
  {
    MutexLock lock(mutex_);
    index = index_;
    state = state_;
    if (index == nullptr) {
      return absl::UnavailableError(Concat("the index is not open: ", closed_because_));
    }
  }
  STELE_ASSIGN_OR_RETURN(auto snapshot, index->GetSnapshot());
  STELE_ASSIGN_OR_RETURN(auto reader, published_.Get());
  return MakeQueries(std::move(reader), std::move(snapshot), state);
}

bool Indexer::WaitUntil(TreeSize size, std::chrono::steady_clock::time_point deadline) const {
  MutexLock lock(mutex_);
  while (index_ == nullptr || applied_ < size) {
    if (!moved_.WaitUntil(mutex_, deadline)) return index_ != nullptr && applied_ >= size;
  }
  return true;
}

Indexer::Progress Indexer::progress() const {
  std::shared_ptr<IndexStore> index;
  Progress progress;
  {
    MutexLock lock(mutex_);
    index = index_;
    progress.state = state_;
    progress.applied = applied_;
  }
  if (index != nullptr) progress.stats = index->Stats();
  return progress;
}

void Indexer::Say(std::string_view severity, const std::string& message) const {
  if (options_.log) options_.log(severity, message);
}

}  // namespace stele::store
