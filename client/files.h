// Small files that the client keeps on disk: pins, checkpoints, the state of audits.
//
// Errors are UNKNOWN, naming the path and the system's reason. May be used from any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::client {

// `errno` as "<what> <path>: <reason>".
absl::Status SystemError(std::string_view what, const std::filesystem::path& path);

// The folder and those above it, each new one 0700.
absl::Status MakePrivateFolder(const std::filesystem::path& folder);

// The whole file, nothing if there is none. An error if it has more than `max_bytes`.
absl::StatusOr<std::optional<std::string>> ReadIfThere(const std::filesystem::path& path,
                                                       size_t max_bytes);

// Replaces the file (0600) as a whole: old or new after a crash, new and on stable storage on
// return. One caller at a time for each path.
absl::Status ReplaceFile(const std::filesystem::path& path, std::string_view bytes);

// The names in the folder of `path` are on stable storage on return.
absl::Status SyncFolderOf(const std::filesystem::path& path);

// An exclusive lock on a file (0600, made if it is not there) against other processes and threads;
// waits for it. Let go by the destructor.
class FileLock {
 public:
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  // Whether it was taken; the caller does nothing without it.
  const absl::Status& status() const { return status_; }
  // To the end of the locked file, on stable storage on return.
  absl::Status Append(std::string_view bytes) const;

 private:
  const std::filesystem::path path_;
  const int fd_;
  absl::Status status_;
};

}  // namespace stele::client
