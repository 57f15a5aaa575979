#include "tools/io/random_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/concat.h"
#include "tools/io/file.h"

namespace stele::tools {

absl::StatusOr<std::unique_ptr<RandomFile>> RandomFile::Open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "cannot open", path);
  struct stat info = {};
  const int error = ::fstat(fd, &info) == 0 ? 0 : errno;
  std::unique_ptr<RandomFile> file(
      new RandomFile(path, fd, error == 0 ? static_cast<uint64_t>(info.st_size) : 0));
  if (error != 0) return ErrnoStatus(error, "cannot look at", path);
  if (S_ISREG(info.st_mode)) return file;
  return absl::InvalidArgumentError(Concat(path.string(), " is no file"));
}

RandomFile::~RandomFile() { ::close(fd_); }

absl::StatusOr<std::string> RandomFile::Read(uint64_t offset, size_t bytes) const {
  std::string piece(bytes, '\0');
  size_t done = 0;
  while (done < bytes) {
    const ssize_t n =
        ::pread(fd_, piece.data() + done, bytes - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoStatus(errno, "cannot read", path_);
    if (n == 0) {
      return absl::UnknownError(Concat(path_.string(), " became shorter while it was read"));
    }
    done += static_cast<size_t>(n);
  }
  return piece;
}

}  // namespace stele::tools
