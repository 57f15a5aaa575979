// A file that is written under another name until all of it is there and verified: FILE.part beside
// FILE. What a run leaves of it the next one goes on with.
//
// One thread at a time. Errors as in tools/io/file.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/sha256.h"

namespace stele::tools {

class PartFile {
 public:
  // Opens FILE.part, with whatever it holds by now. ALREADY_EXISTS if FILE is there,
  // FAILED_PRECONDITION if another process is writing it.
  static absl::StatusOr<std::unique_ptr<PartFile>> Open(const std::filesystem::path& path);
  // Removes it if it is empty.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& part() const { return part_; }
  uint64_t size() const { return size_; }
  absl::Status Append(std::string_view bytes);
  // From the beginning.
  absl::Status Restart();
  // The digest of all that it holds. Then only Commit, Restart or the end.
  Digest Finish() { return hash_.Finish(); }
  // It is FILE from now on, on stable storage.
  absl::Status Commit();

 private:
  PartFile(std::filesystem::path path, std::filesystem::path part, int fd)
      : path_(std::move(path)), part_(std::move(part)), fd_(fd) {}
  absl::Status HashWhatIsThere();

  const std::filesystem::path path_, part_;
  const int fd_;
  uint64_t size_ = 0;
  Sha256Stream hash_;
  bool keep_ = false;  // also if it is empty
};

// The digest of a file. NOT_FOUND.
absl::StatusOr<Digest> DigestOfFile(const std::filesystem::path& path);

}  // namespace stele::tools
