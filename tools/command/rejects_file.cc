#include "tools/command/rejects_file.h"

#include <cerrno>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "tools/command/exit_code.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

bool IsYaml(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

}  // namespace

RejectsFile::RejectsFile(std::FILE* file, std::filesystem::path path)
    : file_(file), path_(std::move(path)) {}

RejectsFile::~RejectsFile() {
  if (file_ != nullptr) std::fclose(file_);
}

absl::StatusOr<std::unique_ptr<RejectsFile>> RejectsFile::Open(const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr) {
    return UsageError("--rejects: " +
                      std::string(ErrnoStatus(errno, "cannot write", path).message()));
  }
  return std::unique_ptr<RejectsFile>(new RejectsFile(file, path));
}

void RejectsFile::Add(const Document& document) {
  if (!failed_.ok()) return;
  std::string bytes;
  if (!empty_ && IsYaml(document.file) && !document.raw.starts_with("---")) bytes = "---\n";
  bytes += document.raw;
  if (!bytes.ends_with('\n')) bytes.push_back('\n');
  empty_ = false;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) {
    failed_ = ErrnoStatus(errno, "cannot write", path_);
  }
}

absl::Status RejectsFile::Close() {
  const int closed = std::fclose(std::exchange(file_, nullptr));
  if (closed != 0 && failed_.ok()) failed_ = ErrnoStatus(errno, "cannot write", path_);
  return failed_;
}

}  // namespace stele::tools
