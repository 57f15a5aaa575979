#include "tools/io/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::tools {
namespace {

absl::Status SyncFolderOf(const std::filesystem::path& path) {
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "cannot open the folder", folder);
  int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  return error == 0 ? absl::OkStatus() : ErrnoStatus(error, "cannot synchronise", folder);
}

int WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return ::fsync(fd) == 0 ? 0 : errno;
}

}  // namespace

absl::Status ErrnoStatus(int error, std::string_view what, const std::filesystem::path& path) {
  absl::StatusCode code = absl::StatusCode::kUnknown;
  if (error == ENOENT) code = absl::StatusCode::kNotFound;
  if (error == EEXIST) code = absl::StatusCode::kAlreadyExists;
  if (error == EACCES || error == EPERM) code = absl::StatusCode::kPermissionDenied;
  return absl::Status(
      code, Concat(what, " ", path.string(), ": ", std::generic_category().message(error)));
}

absl::StatusOr<std::string> ReadFileAtMost(const std::filesystem::path& path, size_t max_bytes) {
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "cannot open", path);
  std::string bytes;
  char buffer[16384];
  int error = 0;
  for (;;) {
    ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error = errno;
    if (n <= 0 || bytes.size() > max_bytes) break;
    bytes.append(buffer, static_cast<size_t>(n));
  }
  ::close(fd);
  if (error != 0) return ErrnoStatus(error, "cannot read", path);
  if (bytes.size() > max_bytes) {
    return absl::ResourceExhaustedError(
        Concat(path.string(), " has more than ", max_bytes, " bytes"));
  }
  return bytes;
}

absl::Status WriteNewFile(const std::filesystem::path& path, std::string_view bytes, mode_t mode) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return ErrnoStatus(errno, "cannot create", path);
  int error = ::fchmod(fd, mode) == 0 ? WriteAll(fd, bytes) : errno;
  ::close(fd);
  if (error == 0) return SyncFolderOf(path);
  ::unlink(path.c_str());
  return ErrnoStatus(error, "cannot write", path);
}

absl::Status MoveToNewName(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) != 0) {
    return ErrnoStatus(errno, Concat("cannot move ", from.string(), " to"), to);
  }
  STELE_RETURN_IF_ERROR(SyncFolderOf(to));
  return SyncFolderOf(from);
}

}  // namespace stele::tools
