#include "store/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

absl::Status IoError(int error, const std::filesystem::path& path) {
  const std::string message = path.string() + ": " + std::strerror(error);
  switch (error) {
    case EEXIST:
      return absl::AlreadyExistsError(message);
    case ENOENT:
      return Refuse(absl::StatusCode::kNotFound, reason::kNotFound, "", message);
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(message);
    case ENOSPC:
    case EDQUOT:
      return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "", message);
    default:
      return absl::UnavailableError(message);
  }
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  const int fd_;
};

std::filesystem::path FolderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

absl::Status WriteAll(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return IoError(errno, path);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return ::fsync(fd) == 0 ? absl::OkStatus() : IoError(errno, path);
}

}  // namespace

absl::Status MakeFolder(const std::filesystem::path& path, unsigned mode) {
  if (::mkdir(path.c_str(), mode) != 0) return IoError(errno, path);
  return SyncFolder(FolderOf(path));
}

absl::Status WriteNewFile(const std::filesystem::path& path, std::string_view bytes,
                          unsigned mode) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file.get() < 0) return IoError(errno, path);
  STELE_RETURN_IF_ERROR(WriteAll(file.get(), bytes, path));
  return SyncFolder(FolderOf(path));
}

absl::Status SyncFolder(const std::filesystem::path& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) != 0) return IoError(errno, path);
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadWholeFile(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return IoError(errno, path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace stele::store
