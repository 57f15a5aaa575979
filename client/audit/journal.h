// The journal of an audit: a file of frames (client/audit/journal_frame.h) that only grows, so that
// an audit goes on where it was without reading the log again. Losing it costs time and nothing
// else: what was proven is in the state file.
//
// One process at a time: opening takes a lock (FAILED_PRECONDITION if another has it). Other errors
// are UNKNOWN, naming the path and the system's reason. One thread at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/audit/journal_frame.h"

namespace stele::client {

class AuditJournal {
 public:
  // Creates it if it is not there.
  static absl::StatusOr<std::unique_ptr<AuditJournal>> Open(const std::filesystem::path& path);
  ~AuditJournal();
  AuditJournal(const AuditJournal&) = delete;
  AuditJournal& operator=(const AuditJournal&) = delete;

  // Hands over every frame from the beginning and cuts the file after the last one that is whole. A
  // kill leaves such an end.
  using VisitEntry = std::function<void(AuditedEntry entry)>;
  absl::Status Load(std::string_view origin, const VisitEntry& visit);
  // Of all that is whole and appended.
  uint64_t bytes() const { return bytes_; }

  absl::Status Append(std::string_view frame);
  // Everything appended is on stable storage on return.
  absl::Status Sync();
  absl::Status CutTo(uint64_t bytes);

 private:
  AuditJournal(std::filesystem::path path, int fd);
  // Up to `count` bytes at `at`; fewer at the end of the file.
  absl::StatusOr<std::string> ReadAt(uint64_t at, size_t count) const;
  // One whole frame's payload from `at` on, nothing if there is none.
  absl::StatusOr<std::optional<std::string>> ReadFrame(uint64_t at) const;

  const std::filesystem::path path_;
  const int fd_;
  uint64_t bytes_ = 0;
};

}  // namespace stele::client
