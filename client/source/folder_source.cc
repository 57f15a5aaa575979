#include "client/source/folder_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "core/base/artifact_limits.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

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

absl::StatusOr<uint64_t> SizeOf(const OpenFile& file, const std::string& path, uint64_t max_bytes) {
  struct stat info = {};
  if (file.fd() < 0 || ::fstat(file.fd(), &info) != 0) return SystemError("cannot open", path);
  if (!S_ISREG(info.st_mode)) return absl::UnknownError(Concat(path, " is no file"));
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size <= max_bytes) return size;
  return absl::ResourceExhaustedError(
      Concat(path, " has ", size, " bytes, at most ", max_bytes, " are read"));
}

// Fewer only at the end: of a file that was cut while it was read.
absl::Status ReadUpTo(const OpenFile& file, const std::string& path, size_t wanted,
                      std::string& bytes) {
  bytes.resize(wanted);
  size_t done = 0;
  while (done < wanted) {
    const ssize_t n = ::read(file.fd(), bytes.data() + done, wanted - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return SystemError("cannot read", path);
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return absl::OkStatus();
}

}  // namespace

FolderSource::FolderSource(const std::filesystem::path& folder)
    : name_(std::filesystem::absolute(folder).lexically_normal().string()) {}

absl::StatusOr<std::string> FolderSource::File(const std::string& path, size_t max_bytes) {
  return ReadFileAtMost(Concat(name_, "/", path), max_bytes);
}

absl::StatusOr<std::string> ReadFileAtMost(const std::string& whole, size_t max_bytes) {
  const OpenFile file(whole);
  STELE_ASSIGN_OR_RETURN(const uint64_t size, SizeOf(file, whole, max_bytes));
  std::string bytes;
  STELE_RETURN_IF_ERROR(ReadUpTo(file, whole, size, bytes));
  return bytes;
}

absl::Status FolderSource::Stream(const std::string& path, uint64_t max_bytes, ByteSink& sink) {
  const std::string whole = Concat(name_, "/", path);
  const OpenFile file(whole);
  STELE_ASSIGN_OR_RETURN(uint64_t left, SizeOf(file, whole, max_bytes));
  STELE_RETURN_IF_ERROR(sink.Begin());
  while (left > 0) {
    const size_t wanted = std::min<uint64_t>(left, limits::kArtifactChunkBytes);
    std::string piece;
    STELE_RETURN_IF_ERROR(ReadUpTo(file, whole, wanted, piece));
    STELE_RETURN_IF_ERROR(sink.Take(piece));
    if (piece.size() < wanted) break;
    left -= wanted;
  }
  return absl::OkStatus();
}

}  // namespace stele::client
