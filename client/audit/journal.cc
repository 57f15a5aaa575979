#include "client/audit/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "client/files.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

absl::Status WriteAll(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot write", path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

}  // namespace

AuditJournal::AuditJournal(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}

AuditJournal::~AuditJournal() { ::close(fd_); }

absl::StatusOr<std::unique_ptr<AuditJournal>> AuditJournal::Open(
    const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return SystemError("cannot open", path);
  std::unique_ptr<AuditJournal> journal(new AuditJournal(path, fd));
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(
        Concat("another audit uses ", path.string(), "; wait for it or take another --state"));
  }
  STELE_RETURN_IF_ERROR(SyncFolderOf(path));
  return journal;
}

absl::StatusOr<std::string> AuditJournal::ReadAt(uint64_t at, size_t count) const {
  std::string bytes(count, '\0');
  size_t done = 0;
  while (done < count) {
    const ssize_t n =
        ::pread(fd_, bytes.data() + done, count - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot read", path_);
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

absl::StatusOr<std::optional<std::string>> AuditJournal::ReadFrame(uint64_t at) const {
  std::optional<std::string> none;
  STELE_ASSIGN_OR_RETURN(const std::string header, ReadAt(at, kFrameHeaderBytes));
  if (header.size() < kFrameHeaderBytes) return none;
  const std::optional<size_t> size = FramePayloadBytes(header);
  if (!size) return none;
  STELE_ASSIGN_OR_RETURN(std::string payload, ReadAt(at + kFrameHeaderBytes, *size));
  if (payload.size() < *size || !FrameIntact(header, payload)) return none;
  return std::optional<std::string>(std::move(payload));
}

absl::Status AuditJournal::Load(std::string_view origin, const VisitEntry& visit) {
  uint64_t at = 0;
  EntryIndex next(0);
  for (;;) {
    STELE_ASSIGN_OR_RETURN(const std::optional<std::string> payload, ReadFrame(at));
    if (!payload) break;
    absl::StatusOr<std::vector<AuditedEntry>> entries = ParseFrame(*payload, next, origin);
    if (!entries.ok()) break;
    for (AuditedEntry& entry : *entries) visit(std::move(entry));
    next = EntryIndex(next.value() + entries->size());
    at += kFrameHeaderBytes + payload->size();
  }
  return CutTo(at);
}

absl::Status AuditJournal::CutTo(uint64_t bytes) {
  if (::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) return SystemError("cannot cut", path_);
  if (::lseek(fd_, static_cast<off_t>(bytes), SEEK_SET) < 0)
    return SystemError("cannot seek", path_);
  bytes_ = bytes;
  return absl::OkStatus();
}

absl::Status AuditJournal::Append(std::string_view frame) {
  STELE_RETURN_IF_ERROR(WriteAll(fd_, frame, path_));
  bytes_ += frame.size();
  return absl::OkStatus();
}

absl::Status AuditJournal::Sync() {
  return ::fdatasync(fd_) == 0 ? absl::OkStatus() : SystemError("cannot synchronise", path_);
}

}  // namespace stele::client
