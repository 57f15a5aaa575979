#include "store/backend/rocksdb/file_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "core/base/concat.h"

namespace stele::store {
namespace {

absl::Status Failed(const std::filesystem::path& path, int error) {
  const std::string message = Concat("reading ", path.string(), ": ", std::strerror(error));
  return error == ENOENT ? absl::NotFoundError(message) : absl::UnavailableError(message);
}

// Reads until the block is full or the file ends; -1 for an error.
ssize_t Fill(int fd, std::string& block) {
  size_t have = 0;
  while (have < block.size()) {
    const ssize_t n = ::read(fd, block.data() + have, block.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    have += static_cast<size_t>(n);
  }
  return static_cast<ssize_t>(have);
}

}  // namespace

absl::Status ReadInBlocks(const std::filesystem::path& path, size_t block_bytes,
                          absl::FunctionRef<bool(std::string_view block)> visit) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Failed(path, errno);
  std::string block(block_bytes, '\0');
  for (;;) {
    const ssize_t read = Fill(fd, block);
    const int error = errno;
    const bool last = read < static_cast<ssize_t>(block_bytes);
    if (read < 0 || (read > 0 && !visit({block.data(), static_cast<size_t>(read)})) || last) {
      ::close(fd);
      return read < 0 ? Failed(path, error) : absl::OkStatus();
    }
  }
}

}  // namespace stele::store
