// A log file that is whole is not whole with any one bit changed; places lie inside the file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "store/backend/rocksdb/log_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const stele::store::LogFileCheck check = stele::store::CheckLogBytes(input);
  if (check.damage && check.damage->at > size) std::abort();
  if (check.torn_at && *check.torn_at > size) std::abort();
  if (check.damage || check.torn_at || input.empty()) return 0;
  if (check.bytes != size) std::abort();
  for (size_t at = 0; at < size; at += 1 + size / 64) {
    std::string bad(input);
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    if (!stele::store::CheckLogBytes(bad).damage) std::abort();
  }
  return 0;
}
