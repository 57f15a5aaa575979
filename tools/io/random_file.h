// A file that is read anywhere, a piece at a time: what is too large to hold.
//
// Errors as in tools/io/file.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace stele::tools {

// Reading may be done from any thread.
class RandomFile {
 public:
  // INVALID_ARGUMENT if it is no regular file.
  static absl::StatusOr<std::unique_ptr<RandomFile>> Open(const std::filesystem::path& path);
  ~RandomFile();
  RandomFile(const RandomFile&) = delete;
  RandomFile& operator=(const RandomFile&) = delete;

  uint64_t size() const { return size_; }  // when it was opened
  // Exactly so many bytes; UNKNOWN if they are not there (any more).
  absl::StatusOr<std::string> Read(uint64_t offset, size_t bytes) const;

 private:
  RandomFile(std::filesystem::path path, int fd, uint64_t size)
      : path_(std::move(path)), fd_(fd), size_(size) {}

  const std::filesystem::path path_;
  const int fd_;
  const uint64_t size_;
};

}  // namespace stele::tools
