#include "tools/command/receipts_file.h"

#include <cerrno>
#include <string>
#include <utility>

#include "core/base/base64.h"
#include "core/json/canonical.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

std::string Line(const client::Published& published) {
  json::Array proof;
  for (const Hash& hash : published.receipt->proof) {
    proof.push_back(JsonText(Base64Encode(hash.bytes())));
  }
  std::string line =
      json::Canonical(JsonObject({{"checkpoint", JsonText(published.receipt->checkpoint)},
                                  {"index", JsonNumber(published.index.value())},
                                  {"leaf", JsonText(Base64Encode(published.receipt->leaf))},
                                  {"proof", json::Value::Data(std::move(proof))},
                                  {"replayed", json::Value::Data(published.replayed)}}));
  line += '\n';
  return line;
}

}  // namespace

ReceiptsFile::ReceiptsFile(std::FILE* file, std::filesystem::path path)
    : file_(file), path_(std::move(path)) {}

ReceiptsFile::~ReceiptsFile() {
  if (file_ != nullptr) std::fclose(file_);
}

absl::StatusOr<std::unique_ptr<ReceiptsFile>> ReceiptsFile::Open(
    const std::filesystem::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (file == nullptr) {
    return UsageError("--receipts: " +
                      std::string(ErrnoStatus(errno, "cannot write", path).message()));
  }
  return std::unique_ptr<ReceiptsFile>(new ReceiptsFile(file, path));
}

void ReceiptsFile::Add(const client::Published& published) {
  if (!failed_.ok()) return;
  const std::string line = Line(published);
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0) {
    failed_ = ErrnoStatus(errno, "cannot write", path_);
  }
}

absl::Status ReceiptsFile::Close() {
  const int closed = std::fclose(std::exchange(file_, nullptr));
  if (closed != 0 && failed_.ok()) failed_ = ErrnoStatus(errno, "cannot write", path_);
  return failed_;
}

}  // namespace stele::tools
