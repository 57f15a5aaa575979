// Buffered reading of an input: look ahead, line by line, or all of it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "tools/io/byte_source.h"

namespace stele::tools {

// Memory is bounded by what the caller asks for. One thread at a time. Errors are those of the
// source, or RESOURCE_EXHAUSTED where a limit of the caller is passed.
class InputStream {
 public:
  explicit InputStream(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  // The next bytes without taking them: `bytes` of them, fewer at the end. Valid until the next
  // call.
  absl::StatusOr<std::string_view> Peek(size_t bytes);
  // The next line without its newline into `line`; false at the end. A last line without newline is
  // a line.
  absl::StatusOr<bool> ReadLine(size_t max_bytes, std::string& line);
  // Everything that is left.
  absl::StatusOr<std::string> ReadRest(size_t max_bytes);

 private:
  // Reads more into the buffer; false at the end.
  absl::StatusOr<bool> Fill();
  std::string_view unread() const { return std::string_view(buffer_).substr(begin_); }

  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  size_t begin_ = 0;
};

}  // namespace stele::tools
