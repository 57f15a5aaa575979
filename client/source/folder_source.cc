#include "client/source/folder_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/base/concat.h"

namespace stele::client {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

absl::Status SystemError(std::string_view what, const std::string& path) {
  const int error = errno;
  const std::string message = Concat(what, " ", path, ": ", std::generic_category().message(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  return absl::UnknownError(message);
}

}  // namespace

FolderSource::FolderSource(const std::filesystem::path& folder)
    : name_(std::filesystem::absolute(folder).lexically_normal().string()) {}

absl::StatusOr<std::string> FolderSource::File(const std::string& path, size_t max_bytes) {
  return ReadFileAtMost(Concat(name_, "/", path), max_bytes);
}

absl::StatusOr<std::string> ReadFileAtMost(const std::string& whole, size_t max_bytes) {
  const OpenFile file(whole);
  struct stat info = {};
  if (file.fd() < 0 || ::fstat(file.fd(), &info) != 0) return SystemError("cannot open", whole);
  if (!S_ISREG(info.st_mode)) return absl::UnknownError(Concat(whole, " is no file"));
  if (static_cast<uint64_t>(info.st_size) > max_bytes) {
    return absl::ResourceExhaustedError(
        Concat(whole, " has ", info.st_size, " bytes, at most ", max_bytes, " are read"));
  }
  std::string bytes(static_cast<size_t>(info.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::read(file.fd(), bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot read", whole);
    if (n == 0) break;  // cut while it was read
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace stele::client
