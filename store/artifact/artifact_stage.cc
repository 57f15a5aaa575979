#include "store/artifact/artifact_stage.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

uint64_t BytesOf(uint64_t chunks, uint64_t size) {
  return chunks < ChunksOf(size) ? chunks * limits::kArtifactChunkBytes : size;
}

}  // namespace

ArtifactStage::ArtifactStage(const ArtifactOptions& options, Hooks hooks)
    : options_(options), hooks_(std::move(hooks)), book_(options) {}

ArtifactStage::~ArtifactStage() { Stop(); }

void ArtifactStage::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    wake_.NotifyAll();
  }
  if (sweeper_.joinable()) sweeper_.join();
}

absl::Status ArtifactStage::Start() {
  STELE_ASSIGN_OR_RETURN(const auto backend, OpenBackend());
  const absl::StatusOr<std::vector<StagedArtifact>> staged = backend->staging().List();
  if (absl::IsDataLoss(staged.status())) {
    // No truth is lost with it.
    Log("error", Concat("what was uploaded cannot be read, repair the store with stele fsck: ",
                        std::string(staged.status().message())));
  } else {
    STELE_RETURN_IF_ERROR(staged.status());
    book_.Load(*staged);
  }
  if (!backend->poisoned()) Sweep();
  sweeper_ = std::thread([this] { Run(); });
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Backend>> ArtifactStage::OpenBackend() const {
  std::shared_ptr<Backend> backend = hooks_.backend();
  if (backend != nullptr) return backend;
  return absl::UnavailableError("the store is being reopened; try again in a moment");
}

absl::StatusOr<std::optional<ArtifactState>> ArtifactStage::Find(const Digest& digest) const {
  STELE_ASSIGN_OR_RETURN(const auto backend, OpenBackend());
  const Staging& staging = backend->staging();
  using Phase = ArtifactState::Phase;
  STELE_ASSIGN_OR_RETURN(const auto staged, staging.Find(digest));
  if (!staged) {
    // In this order: a plan takes it from the one place to the other in one step.
    STELE_ASSIGN_OR_RETURN(const auto snapshot, backend->GetSnapshot());
    const absl::StatusOr<ArtifactRow> stored = snapshot->Artifact(digest);
    if (stored.ok()) return ArtifactState{Phase::kStored, stored->size, stored->size};
    if (!absl::IsNotFound(stored.status())) return stored.status();
    return std::optional<ArtifactState>();
  }
  if (staged->whole) return ArtifactState{Phase::kStaged, staged->size, staged->size};
  STELE_ASSIGN_OR_RETURN(const uint64_t chunks, staging.HeldChunks(digest, ChunksOf(staged->size)));
  return ArtifactState{Phase::kPartial, staged->size, BytesOf(chunks, staged->size)};
}

absl::StatusOr<std::unique_ptr<ArtifactUpload>> ArtifactStage::Begin(const Digest& digest,
                                                                     uint64_t size,
                                                                     uint64_t offset) {
  STELE_RETURN_IF_ERROR(hooks_.writable());
  STELE_ASSIGN_OR_RETURN(const auto backend, OpenBackend());
  const TimeMs now = hooks_.clock();
  absl::StatusOr<StageBook::Entered> entered = book_.Enter(digest, size, now);
  if (ReasonOf(entered.status()) == reason::kStageFull) {
    Sweep();
    entered = book_.Enter(digest, size, now);
  }
  STELE_RETURN_IF_ERROR(entered.status());
  if (entered->whole) return nullptr;
  const StagedArtifact staged{
      .digest = digest, .size = size, .touched = now, .whole = false, .chunk_digests = {}};
  // From here on its destructor leaves the book.
  std::unique_ptr<ArtifactUpload> upload(new ArtifactUpload(*this, backend, staged, offset));
  const absl::Status prepared = Prepare(backend->staging(), staged, *entered, offset);
  if (prepared.ok()) return upload;
  if (!absl::IsAlreadyExists(prepared)) return prepared;
  // Published since the caller looked.
  upload->ended_ = true;
  book_.Forget(digest);
  return absl::UnavailableError(Concat(digest.ToText(), " has just been published; ask again"));
}

absl::Status ArtifactStage::Prepare(Staging& staging, const StagedArtifact& staged,
                                    const StageBook::Entered& entered, uint64_t offset) const {
  if (entered.drop) {
    StagedArtifact other = staged;
    other.size = *entered.drop;
    STELE_RETURN_IF_ERROR(AfterWrite(staging.Drop(other)));
  }
  const absl::Status begun = staging.Begin(staged);
  if (absl::IsAlreadyExists(begun)) return begun;
  STELE_RETURN_IF_ERROR(AfterWrite(begun));
  STELE_ASSIGN_OR_RETURN(const uint64_t chunks,
                         staging.HeldChunks(staged.digest, ChunksOf(staged.size)));
  const uint64_t held = BytesOf(chunks, staged.size);
  if (held == offset) return absl::OkStatus();
  return Refuse(absl::StatusCode::kFailedPrecondition, reason::kUploadOffset, "/start/offset",
                Concat("of ", staged.digest.ToText(), " ", held,
                       " bytes are held; go on from there, not from ", offset));
}

absl::Status ArtifactStage::AfterWrite(const absl::Status& written) const {
  if (written.ok()) return written;
  hooks_.write_failed(written);
  if (ReasonOf(written) == reason::kDiskFull) {
    return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "",
                  "the disk is full; the upload can go on when there is room again");
  }
  return Refuse(absl::StatusCode::kUnavailable, ReasonOf(written), "",
                Concat("what was uploaded could not be written: ", std::string(written.message())));
}

absl::Status ArtifactStage::Drop(const StagedArtifact& staged) {
  STELE_ASSIGN_OR_RETURN(const auto backend, OpenBackend());
  const absl::Status dropped = backend->staging().Drop(staged);
  if (dropped.ok()) {
    book_.Forget(staged.digest);
  } else {
    book_.Leave(staged.digest);  // another time
  }
  return AfterWrite(dropped);
}

std::shared_ptr<const void> ArtifactStage::Claim(const Digest& digest, uint64_t size) {
  if (!book_.Claim(digest, size)) return nullptr;
  return {this, [this, digest](const void*) { ReleaseClaim(digest); }};
}

// Published, it is staged no more. What cannot be told now is found by a later sweep.
void ArtifactStage::ReleaseClaim(const Digest& digest) {
  if (!book_.Release(digest)) return;
  const auto backend = hooks_.backend();
  if (backend == nullptr) return;
  const auto staged = backend->staging().Find(digest);
  if (staged.ok() && !staged->has_value()) book_.ForgetPublished(digest);
}

void ArtifactStage::Sweep() {
  if (book_.totals().artifacts == 0) return;
  for (const StagedArtifact& staged : book_.TakeExpired(hooks_.clock())) {
    const auto backend = hooks_.backend();
    const auto found = backend == nullptr ? absl::UnavailableError("reopening")
                                          : backend->staging().Find(staged.digest);
    if (!found.ok()) {
      book_.Leave(staged.digest);
    } else if (!found->has_value()) {
      book_.Forget(staged.digest);  // it is content by now
    } else if (const absl::Status dropped = Drop(staged); dropped.ok()) {
      Log("info", Concat("dropped the upload of ", staged.digest.ToText(),
                         ", which no publication named in time"));
    } else {
      Log("warning", Concat("cannot drop the upload of ", staged.digest.ToText(), ": ",
                            std::string(dropped.message())));
    }
  }
}

void ArtifactStage::Run() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      const auto deadline = std::chrono::steady_clock::now() + options_.sweep_every;
      while (!stopping_ && wake_.WaitUntil(mutex_, deadline)) {
      }
      if (stopping_) return;
    }
    if (hooks_.writable().ok()) Sweep();
  }
}

void ArtifactStage::Log(std::string_view severity, const std::string& message) const {
  if (hooks_.log) hooks_.log(severity, message);
}

}  // namespace stele::store
