// Bytes of a test as an input, handed out in small pieces.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "tools/io/byte_source.h"
#include "tools/io/input_stream.h"

namespace stele::tools {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, size_t piece = 7)
      : bytes_(std::move(bytes)), piece_(piece) {}
  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    const size_t n = std::min({room, piece_, bytes_.size() - given_});
    std::memcpy(buffer, bytes_.data() + given_, n);
    given_ += n;
    return n;
  }

 private:
  const std::string bytes_;
  const size_t piece_;
  size_t given_ = 0;
};

inline InputStream StreamOf(std::string bytes) {
  return InputStream(std::make_unique<MemorySource>(std::move(bytes)));
}

}  // namespace stele::tools
