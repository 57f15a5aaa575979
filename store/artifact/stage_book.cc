#include "store/artifact/stage_book.h"

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

absl::Status Exhausted(std::string_view reason, std::string_view limit, uint64_t value,
                       std::string_view message) {
  return RefuseLimit(absl::StatusCode::kResourceExhausted, reason, limit, value, message);
}

}  // namespace

void StageBook::Load(const std::vector<StagedArtifact>& staged) {
  MutexLock lock(mutex_);
  for (const StagedArtifact& row : staged) {
    slots_[row.digest] = {.size = row.size, .touched = row.touched, .whole = row.whole};
    bytes_ += row.size;
  }
}

absl::Status StageBook::CheckRoom(uint64_t size, uint64_t instead_of) const {
  if (size > options_.artifact_bytes) {
    return Exhausted(reason::kTooLarge, "artifact_bytes", options_.artifact_bytes,
                     Concat("an artifact has at most ", options_.artifact_bytes,
                            " bytes here, this one ", size));
  }
  const uint64_t others = bytes_ - instead_of;
  if (others + size <= options_.staged_bytes && slots_.size() < options_.staged_artifacts) {
    return absl::OkStatus();
  }
  const bool many = slots_.size() >= options_.staged_artifacts;
  return Exhausted(
      reason::kStageFull, many ? "staged_artifacts" : "staged_bytes",
      many ? options_.staged_artifacts : options_.staged_bytes,
      Concat(slots_.size(), " artifacts of ", others, " bytes wait for their publication, at most ",
             options_.staged_artifacts, " of ", options_.staged_bytes, "; try again later"));
}

absl::Status StageBook::CheckUploads() const {
  if (uploads_ < options_.uploads) return absl::OkStatus();
  return Exhausted(reason::kUploadBusy, "uploads", options_.uploads,
                   Concat(uploads_, " uploads are under way; try again in a moment"));
}

absl::StatusOr<StageBook::Entered> StageBook::Enter(const Digest& digest, uint64_t size,
                                                    TimeMs now) {
  MutexLock lock(mutex_);
  const auto found = slots_.find(digest);
  Entered entered;
  if (found == slots_.end()) {
    STELE_RETURN_IF_ERROR(CheckRoom(size, 0));
    STELE_RETURN_IF_ERROR(CheckUploads());
    slots_[digest] = {.size = size, .touched = now, .uploading = true};
    bytes_ += size;
    ++uploads_;
    return entered;
  }
  Slot& slot = found->second;
  if (slot.busy()) {
    return Refuse(absl::StatusCode::kUnavailable, reason::kUploadBusy, "",
                  Concat("another upload of ", digest.ToText(), " is under way"));
  }
  if (slot.whole && slot.size == size) return Entered{.whole = true, .drop = {}};
  if (slot.whole) {
    return RefuseInput(reason::kContentMismatch, "/start/size",
                       Concat(digest.ToText(), " has ", slot.size, " bytes, not ", size));
  }
  if (slot.size != size) {
    STELE_RETURN_IF_ERROR(CheckRoom(size, slot.size));
    entered.drop = slot.size;
  }
  STELE_RETURN_IF_ERROR(CheckUploads());
  bytes_ = bytes_ - slot.size + size;
  slot.size = size;
  slot.touched = now;
  slot.uploading = true;
  ++uploads_;
  return entered;
}

void StageBook::Leave(const Digest& digest) {
  MutexLock lock(mutex_);
  const auto found = slots_.find(digest);
  if (found == slots_.end()) return;
  if (found->second.uploading) --uploads_;
  found->second.uploading = found->second.dropping = false;
}

void StageBook::Settle(const Digest& digest, TimeMs now) {
  MutexLock lock(mutex_);
  const auto found = slots_.find(digest);
  if (found == slots_.end()) return;
  Slot& slot = found->second;
  if (slot.uploading) --uploads_;
  slot.uploading = false;
  slot.whole = true;
  slot.touched = now;
}

bool StageBook::Claim(const Digest& digest, uint64_t size) {
  MutexLock lock(mutex_);
  const auto found = slots_.find(digest);
  if (found == slots_.end()) return false;
  Slot& slot = found->second;
  if (!slot.whole || slot.dropping || slot.size != size) return false;
  ++slot.claims;
  return true;
}

bool StageBook::Release(const Digest& digest) {
  MutexLock lock(mutex_);
  const auto found = slots_.find(digest);
  return found != slots_.end() && --found->second.claims == 0;
}

std::vector<StagedArtifact> StageBook::TakeExpired(TimeMs now) {
  MutexLock lock(mutex_);
  std::vector<StagedArtifact> expired;
  for (auto& [digest, slot] : slots_) {
    if (slot.busy() || slot.claims > 0) continue;
    if (now.value() - slot.touched.value() < options_.staged_time.count()) continue;
    slot.dropping = true;
    expired.push_back({.digest = digest,
                       .size = slot.size,
                       .touched = slot.touched,
                       .whole = slot.whole,
                       .chunk_digests = {}});
  }
  return expired;
}

void StageBook::Erase(const Digest& digest) {
  const auto found = slots_.find(digest);
  if (found == slots_.end()) return;
  if (found->second.uploading) --uploads_;
  bytes_ -= found->second.size;
  slots_.erase(found);
}

void StageBook::Forget(const Digest& digest) {
  MutexLock lock(mutex_);
  Erase(digest);
}

void StageBook::ForgetPublished(const Digest& digest) {
  MutexLock lock(mutex_);
  const auto found = slots_.find(digest);
  if (found == slots_.end()) return;
  const Slot& slot = found->second;
  if (slot.whole && !slot.busy() && slot.claims == 0) Erase(digest);
}

StageBook::Totals StageBook::totals() const {
  MutexLock lock(mutex_);
  return {slots_.size(), bytes_, uploads_};
}

}  // namespace stele::store
