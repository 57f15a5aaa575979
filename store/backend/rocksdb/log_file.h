// The bytes of a file in RocksDB's log format (write-ahead logs and the manifest), checked to the
// last one.
//
// RocksDB itself takes whatever looks like a torn tail for one, and so overlooks a length that was
// changed near the end, and the filling at the end of a block. Here only a record that really ends
// too early is a torn tail.
//
//   blocks of 32,768 bytes; in each, records until fewer than 7 bytes are left, which are zero:
//   0  CRC-32C of type and data, masked, u32 little-endian
//   4  length of the data, u16 little-endian
//   6  type: 1 full, 2 first, 3 middle, 4 last
//   7  data
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace stele::store {

struct LogFileCheck {
  uint64_t bytes = 0;
  struct Place {
    uint64_t at = 0;
    std::string what;
  };
  std::optional<Place> damage;  // the first
  // Where the last record ends too early, as a kill leaves it, or a writer that is just writing.
  std::optional<uint64_t> torn_at;
};

// Of the whole file's bytes. Pure.
LogFileCheck CheckLogBytes(std::string_view bytes);
// NOT_FOUND if the file is not there, UNAVAILABLE if it cannot be read. A block in memory at a
// time.
absl::StatusOr<LogFileCheck> CheckLogFile(const std::filesystem::path& path);

}  // namespace stele::store
