// A stream of bytes from a file or from standard input, decompressed where it is zstd.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace stele::tools {

// One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `room` bytes; 0 only at the end. UNKNOWN if the file cannot be read, INVALID_ARGUMENT if
  // compressed data is damaged or cut short. After an error the source is spent.
  virtual absl::StatusOr<size_t> Read(char* buffer, size_t room) = 0;
};

// "-" is standard input. What begins with zstd's magic number, or is named *.zst, is decompressed
// on the way. NOT_FOUND, PERMISSION_DENIED or UNKNOWN with the path.
absl::StatusOr<std::unique_ptr<ByteSource>> OpenBytes(const std::string& path);

// Decompresses `compressed`; all frames one after the other. `name` is for messages.
std::unique_ptr<ByteSource> ZstdSource(std::unique_ptr<ByteSource> compressed, std::string name);

}  // namespace stele::tools
