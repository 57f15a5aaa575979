#include "tools/io/spool.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/base/artifact_limits.h"
#include "core/base/status_macros.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

constexpr char kWhat[] = "a temporary file";

}  // namespace

absl::StatusOr<std::unique_ptr<Spool>> Spool::Open() {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) folder = "/tmp";
  std::string name = (folder / "stele-XXXXXX").string();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "cannot create a temporary file in", folder);
  ::unlink(name.c_str());
  return std::unique_ptr<Spool>(new Spool(fd));
}

Spool::~Spool() { ::close(fd_); }

absl::Status Spool::Append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoStatus(errno, "cannot write", kWhat);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

absl::Status Spool::Read(const std::function<absl::Status(std::string_view piece)>& take) const {
  std::string piece(limits::kArtifactChunkBytes, '\0');
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(fd_, piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoStatus(errno, "cannot read", kWhat);
    if (n == 0) return absl::OkStatus();
    STELE_RETURN_IF_ERROR(take(std::string_view(piece).substr(0, static_cast<size_t>(n))));
    at += n;
  }
}

}  // namespace stele::tools
