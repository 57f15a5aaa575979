// The file of --rejects: what was refused, as it came.
#pragma once

#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/input/document.h"

namespace stele::tools {

// Lines stay lines, so that rejected lines are NDJSON again; documents end in a newline, and a YAML
// document that is not the first one begins with `---`. One thread at a time.
class RejectsFile {
 public:
  // Truncates the file. A usage error if it cannot be written.
  static absl::StatusOr<std::unique_ptr<RejectsFile>> Open(const std::filesystem::path& path);
  ~RejectsFile();
  RejectsFile(const RejectsFile&) = delete;
  RejectsFile& operator=(const RejectsFile&) = delete;

  // An error is kept and given by Close.
  void Add(const Document& document);
  absl::Status Close();

 private:
  RejectsFile(std::FILE* file, std::filesystem::path path);
  std::FILE* file_;
  const std::filesystem::path path_;
  bool empty_ = true;
  absl::Status failed_;
};

}  // namespace stele::tools
