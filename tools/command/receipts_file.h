// The file of --receipts: one line of JSON for each statement that is in the log.
//
//   {"checkpoint":"<signed
//   note>","index":7,"leaf":"<base64>","proof":["<base64>",…],"replayed":false}
//
// The leaf's hash, the proof and the note need no server to be checked.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/publisher.h"

namespace stele::tools {

// Appends, so that runs add up. Every line is handed to the system at once: what is in the file
// when the process ends, however it ends, was acknowledged. One thread at a time.
class ReceiptsFile {
 public:
  // A usage error if it cannot be written.
  static absl::StatusOr<std::unique_ptr<ReceiptsFile>> Open(const std::filesystem::path& path);
  ~ReceiptsFile();
  ReceiptsFile(const ReceiptsFile&) = delete;
  ReceiptsFile& operator=(const ReceiptsFile&) = delete;

  // `published` has its receipt. An error is kept and given by Close.
  void Add(const client::Published& published);
  absl::Status Close();

 private:
  ReceiptsFile(std::FILE* file, std::filesystem::path path);
  std::FILE* file_;
  const std::filesystem::path path_;
  absl::Status failed_;
};

}  // namespace stele::tools
