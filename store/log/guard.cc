#include "store/log/guard.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/log/guard_block.h"

namespace stele::store {
namespace fs = std::filesystem;
namespace {

absl::Status Failed(std::string_view doing, const fs::path& path, int error) {
  const std::string message =
      Concat(doing, " the guard ", path.string(), ": ", std::strerror(error));
  if (error == ENOSPC || error == EDQUOT) {
    return Refuse(absl::StatusCode::kResourceExhausted, reason::kDiskFull, "", message);
  }
  return absl::UnavailableError(message);
}

absl::Status Damaged(const fs::path& path, std::string_view what) {
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat("the guard ", path.string(), " is damaged: ", what,
                       "; restore it, or remove it and start once with --accept-no-guard"));
}

absl::Status Lock(int fd, const fs::path& path) {
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return absl::OkStatus();
  if (errno != EWOULDBLOCK) return Failed("locking", path, errno);
  return absl::FailedPreconditionError(
      Concat("another process holds the guard ", path.string(), "; one writes a store at a time"));
}

absl::Status WriteAt(int fd, const fs::path& path, std::string_view bytes, int block) {
  off_t at = off_t{block} * static_cast<off_t>(kGuardBlockBytes);
  while (!bytes.empty()) {
    const ssize_t n = pwrite(fd, bytes.data(), bytes.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed("writing", path, errno);
    if (n == 0) return Failed("writing", path, ENOSPC);
    bytes.remove_prefix(static_cast<size_t>(n));
    at += n;
  }
  return absl::OkStatus();
}

// The whole file; longer ones are cut a byte behind the size of a guard.
absl::StatusOr<std::string> ReadAll(int fd, const fs::path& path) {
  std::string bytes(3 * kGuardBlockBytes + 1, '\0');
  size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t n = pread(fd, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed("reading", path, errno);
    if (n == 0) break;
    have += static_cast<size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

absl::Status SyncParent(const fs::path& path) {
  const fs::path parent = fs::absolute(path).parent_path();
  const int fd = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return Failed("opening the folder of", path, errno);
  const int synced = fsync(fd);
  const int error = errno;
  close(fd);
  return synced == 0 ? absl::OkStatus() : Failed("synchronising the folder of", path, error);
}

}  // namespace

Guard::Guard(fs::path path, int fd) : path_(std::move(path)), fd_(fd) {}

Guard::~Guard() { close(fd_); }

absl::StatusOr<std::unique_ptr<Guard>> Guard::Create(const fs::path& path,
                                                     const GuardIdentity& identity,
                                                     const GuardPosition& position) {
  if (identity.origin.empty() || identity.origin.size() > limits::kOriginBytes) {
    return absl::InvalidArgumentError("an origin has 1 to 200 characters");
  }
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 && errno == EEXIST) {
    return absl::AlreadyExistsError(Concat("the guard ", path.string(), " exists already"));
  }
  if (fd < 0) return Failed("making", path, errno);
  std::unique_ptr<Guard> guard(new Guard(path, fd));
  STELE_RETURN_IF_ERROR(Lock(fd, path));
  guard->identity_ = identity;
  guard->position_ = position;
  guard->sequence_ = 1;
  STELE_RETURN_IF_ERROR(WriteAt(fd, path, FormatGuardHeader(identity), 0));
  // Both slots from the start: the first torn Record finds a good one.
  for (int slot : {1, 0}) {
    STELE_RETURN_IF_ERROR(guard->WriteSlot(slot, {.sequence = 1, .position = position}));
  }
  if (fsync(fd) != 0) return Failed("synchronising", path, errno);
  STELE_RETURN_IF_ERROR(SyncParent(path));
  return guard;
}

absl::StatusOr<std::unique_ptr<Guard>> Guard::Open(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT) {
    return absl::NotFoundError(Concat("there is no guard ", path.string()));
  }
  if (fd < 0) return Failed("opening", path, errno);
  std::unique_ptr<Guard> guard(new Guard(path, fd));
  STELE_RETURN_IF_ERROR(Lock(fd, path));
  STELE_RETURN_IF_ERROR(guard->ReadBlocks());
  return guard;
}

absl::Status Guard::ReadBlocks() {
  STELE_ASSIGN_OR_RETURN(std::string bytes, ReadAll(fd_, path_));
  if (bytes.size() != 3 * kGuardBlockBytes) return Damaged(path_, "it has not the size of a guard");
  auto block = [&](size_t n) {
    return std::string_view(bytes).substr(n * kGuardBlockBytes, kGuardBlockBytes);
  };
  const std::optional<GuardIdentity> identity = ParseGuardHeader(block(0));
  if (!identity) return Damaged(path_, "its header does not verify");
  identity_ = *identity;
  for (int slot : {0, 1}) {
    const auto found = ParseGuardSlot(block(static_cast<size_t>(slot) + 1), identity_, slot);
    if (!found || found->sequence <= sequence_) continue;
    sequence_ = found->sequence;
    position_ = found->position;
    slot_ = slot;
  }
  if (sequence_ == 0) return Damaged(path_, "neither of its slots verifies");
  return absl::OkStatus();
}

absl::Status Guard::CheckIdentity(const GuardIdentity& store) const {
  if (identity_ == store) return absl::OkStatus();
  return absl::FailedPreconditionError(
      Concat("the guard ", path_.string(), " is of ", identity_.origin, " with genesis leaf ",
             identity_.genesis_leaf_hash.ToHex(), ", the store is ", store.origin,
             " with genesis leaf ", store.genesis_leaf_hash.ToHex(), ": name the right guard"));
}

absl::Status Guard::WriteSlot(int slot, const GuardSlot& content) {
  return WriteAt(fd_, path_, FormatGuardSlot(content, identity_, slot), slot + 1);
}

absl::Status Guard::Record(const GuardPosition& position) {
  if (position.size < position_.size) {
    return absl::FailedPreconditionError(Concat("the guard stands at size ", position_.size.value(),
                                                " and never goes back to ", position.size.value()));
  }
  if (position.size == position_.size && position.root != position_.root) {
    return absl::FailedPreconditionError(Concat("the guard has root ", position_.root.ToHex(),
                                                " at size ", position_.size.value(), ", not ",
                                                position.root.ToHex()));
  }
  if (position == position_ && !failed_) return absl::OkStatus();
  return WriteNext(position);
}

absl::Status Guard::Refresh() { return WriteNext(position_); }

absl::Status Guard::WriteNext(const GuardPosition& position) {
  if (failed_) {
    return absl::FailedPreconditionError(
        Concat("the guard ", path_.string(), " failed before; open it again"));
  }
  const GuardSlot next{.sequence = sequence_ + 1, .position = position};
  absl::Status written = WriteSlot(1 - slot_, next);
  if (written.ok() && fdatasync(fd_) != 0) written = Failed("synchronising", path_, errno);
  failed_ = !written.ok();
  if (failed_) return written;
  sequence_ = next.sequence;
  position_ = position;
  slot_ = 1 - slot_;
  return absl::OkStatus();
}

}  // namespace stele::store
