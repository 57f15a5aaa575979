#include "tools/io/input_stream.h"

#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::tools {
namespace {

constexpr size_t kChunk = 256 * 1024;

absl::Status TooLong(std::string_view what, size_t max_bytes) {
  return absl::ResourceExhaustedError(
      Concat(what, " of more than ", max_bytes, " bytes: too large for one item"));
}

}  // namespace

absl::StatusOr<bool> InputStream::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  size_t have = buffer_.size();
  buffer_.resize(have + kChunk);
  absl::StatusOr<size_t> n = source_->Read(buffer_.data() + have, kChunk);
  buffer_.resize(have + (n.ok() ? *n : 0));
  if (!n.ok()) return n.status();
  return *n > 0;
}

absl::StatusOr<std::string_view> InputStream::Peek(size_t bytes) {
  while (unread().size() < bytes) {
    STELE_ASSIGN_OR_RETURN(bool more, Fill());
    if (!more) break;
  }
  return unread().substr(0, bytes);
}

absl::StatusOr<bool> InputStream::ReadLine(size_t max_bytes, std::string& line) {
  size_t searched = 0;
  for (;;) {
    size_t end = unread().find('\n', searched);
    if (end != std::string_view::npos) {
      line.assign(unread().substr(0, end));
      begin_ += end + 1;
      return true;
    }
    searched = unread().size();
    if (searched > max_bytes) return TooLong("a line", max_bytes);
    STELE_ASSIGN_OR_RETURN(bool more, Fill());
    if (more) continue;
    line.assign(unread());
    begin_ = buffer_.size();
    return !line.empty();
  }
}

absl::StatusOr<std::string> InputStream::ReadRest(size_t max_bytes) {
  for (;;) {
    if (unread().size() > max_bytes) return TooLong("a document", max_bytes);
    STELE_ASSIGN_OR_RETURN(bool more, Fill());
    if (!more) break;
  }
  std::string rest(unread());
  begin_ = buffer_.size();
  return rest;
}

}  // namespace stele::tools
