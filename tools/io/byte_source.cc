#include "tools/io/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/status_macros.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

class FdSource final : public ByteSource {
 public:
  FdSource(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  ~FdSource() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }
  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    for (;;) {
      ssize_t n = ::read(fd_, buffer, room);
      if (n >= 0) return static_cast<size_t>(n);
      if (errno != EINTR) return ErrnoStatus(errno, "cannot read", name_);
    }
  }

 private:
  const int fd_;
  const std::string name_;
};

// Gives first what was read to look at, then the rest.
class HeadedSource final : public ByteSource {
 public:
  HeadedSource(std::string head, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}
  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    size_t n = std::min(room, head_.size() - given_);
    if (n == 0) return rest_->Read(buffer, room);
    std::memcpy(buffer, head_.data() + given_, n);
    given_ += n;
    return n;
  }

 private:
  const std::string head_;
  size_t given_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

absl::StatusOr<std::string> ReadHead(ByteSource& source, size_t bytes) {
  std::string head(bytes, '\0');
  size_t have = 0;
  while (have < bytes) {
    STELE_ASSIGN_OR_RETURN(size_t n, source.Read(head.data() + have, bytes - have));
    if (n == 0) break;
    have += n;
  }
  head.resize(have);
  return head;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ByteSource>> OpenBytes(const std::string& path) {
  int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, "cannot open", path);
  std::string name = path == "-" ? "standard input" : path;
  std::unique_ptr<ByteSource> plain = std::make_unique<FdSource>(fd, name);
  STELE_ASSIGN_OR_RETURN(std::string head, ReadHead(*plain, kZstdMagic.size()));
  bool compressed = head == kZstdMagic || path.ends_with(".zst");
  auto whole = std::make_unique<HeadedSource>(std::move(head), std::move(plain));
  if (!compressed) return whole;
  return ZstdSource(std::move(whole), std::move(name));
}

}  // namespace stele::tools
