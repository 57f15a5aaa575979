#include "client/files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

absl::Status WriteAndSync(int fd, std::string_view bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot write", path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return ::fsync(fd) == 0 ? absl::OkStatus() : SystemError("cannot synchronise", path);
}

absl::Status LockOf(int fd, const std::filesystem::path& path) {
  if (fd < 0) return SystemError("cannot open", path);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return SystemError("cannot lock", path);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadToEnd(int fd, size_t max_bytes, const std::filesystem::path& path) {
  std::string text;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::read(fd, buffer, sizeof buffer)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot read", path);
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > max_bytes) {
      return absl::UnknownError(Concat(path.string(), " has more than ", max_bytes, " bytes"));
    }
  }
  return text;
}

}  // namespace

absl::Status SystemError(std::string_view what, const std::filesystem::path& path) {
  return absl::UnknownError(
      Concat(what, " ", path.string(), ": ", std::generic_category().message(errno)));
}

absl::Status MakePrivateFolder(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(MakePrivateFolder(folder.parent_path()));
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  return SystemError("cannot create", folder);
}

absl::StatusOr<std::optional<std::string>> ReadIfThere(const std::filesystem::path& path,
                                                       size_t max_bytes) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) return std::optional<std::string>();
  if (fd < 0) return SystemError("cannot open", path);
  absl::StatusOr<std::string> text = ReadToEnd(fd, max_bytes, path);
  ::close(fd);
  if (!text.ok()) return text.status();
  return std::optional<std::string>(*std::move(text));
}

absl::Status SyncFolderOf(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return SystemError("cannot open", folder);
  const absl::Status synced =
      ::fsync(fd) == 0 ? absl::OkStatus() : SystemError("cannot synchronise", folder);
  ::close(fd);
  return synced;
}

absl::Status ReplaceFile(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path fresh = path;
  fresh += ".new";
  const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return SystemError("cannot create", fresh);
  const absl::Status written = WriteAndSync(fd, bytes, fresh);
  ::close(fd);
  STELE_RETURN_IF_ERROR(written);
  if (::rename(fresh.c_str(), path.c_str()) != 0) return SystemError("cannot rename", fresh);
  return SyncFolderOf(path);
}

FileLock::FileLock(const std::filesystem::path& path)
    : path_(path),
      fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)),
      status_(LockOf(fd_, path_)) {}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

absl::Status FileLock::Append(std::string_view bytes) const {
  return WriteAndSync(fd_, bytes, path_);
}

}  // namespace stele::client
