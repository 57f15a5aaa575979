#include "tools/io/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/io/file.h"
#include "tools/io/random_file.h"

namespace stele::tools {
namespace {

constexpr mode_t kMode = 0644;

// Hears the pieces of a file.
template <class Take>
absl::StatusOr<uint64_t> ReadThrough(const std::filesystem::path& path, const Take& take) {
  STELE_ASSIGN_OR_RETURN(const auto file, RandomFile::Open(path));
  for (uint64_t at = 0; at < file->size();) {
    const size_t bytes = std::min<uint64_t>(limits::kArtifactChunkBytes, file->size() - at);
    STELE_ASSIGN_OR_RETURN(const std::string piece, file->Read(at, bytes));
    take(piece);
    at += bytes;
  }
  return file->size();
}

}  // namespace

absl::StatusOr<std::unique_ptr<PartFile>> PartFile::Open(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    return absl::AlreadyExistsError(Concat(path.string(), " is there already"));
  }
  std::filesystem::path part = path;
  part += ".part";
  const int fd = ::open(part.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
  if (fd < 0) return ErrnoStatus(errno, "cannot write", part);
  std::unique_ptr<PartFile> file(new PartFile(path, std::move(part), fd));
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    file->keep_ = true;  // it is another's
    return absl::FailedPreconditionError(
        Concat("another process is writing ", file->part_.string()));
  }
  STELE_RETURN_IF_ERROR(file->HashWhatIsThere());
  return file;
}

PartFile::~PartFile() {
  if (size_ == 0 && !keep_) ::unlink(part_.c_str());
  ::close(fd_);
}

absl::Status PartFile::HashWhatIsThere() {
  STELE_ASSIGN_OR_RETURN(
      size_, ReadThrough(part_, [this](std::string_view piece) { hash_.Update(piece); }));
  if (::lseek(fd_, static_cast<off_t>(size_), SEEK_SET) >= 0) return absl::OkStatus();
  return ErrnoStatus(errno, "cannot write", part_);
}

absl::Status PartFile::Append(std::string_view bytes) {
  hash_.Update(bytes);
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoStatus(errno, "cannot write", part_);
    bytes.remove_prefix(static_cast<size_t>(n));
    size_ += static_cast<uint64_t>(n);
  }
  return absl::OkStatus();
}

absl::Status PartFile::Restart() {
  if (::ftruncate(fd_, 0) != 0 || ::lseek(fd_, 0, SEEK_SET) < 0) {
    return ErrnoStatus(errno, "cannot cut", part_);
  }
  size_ = 0;
  hash_ = Sha256Stream();
  return absl::OkStatus();
}

absl::Status PartFile::Commit() {
  if (::fsync(fd_) != 0) return ErrnoStatus(errno, "cannot synchronise", part_);
  STELE_RETURN_IF_ERROR(MoveToNewName(part_, path_));
  keep_ = true;
  return absl::OkStatus();
}

absl::StatusOr<Digest> DigestOfFile(const std::filesystem::path& path) {
  Sha256Stream hash;
  STELE_RETURN_IF_ERROR(
      ReadThrough(path, [&](std::string_view piece) { hash.Update(piece); }).status());
  return hash.Finish();
}

}  // namespace stele::tools
