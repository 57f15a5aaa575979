// A request to a witness that is read is written back as the same bytes; an answer of a size, too.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/tlog/add_checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto request = stele::ParseAddCheckpoint(input); request.ok()) {
    if (stele::FormatAddCheckpoint(*request) != input || request->proof.size() > 63) std::abort();
  }
  if (const auto told = stele::ParseTlogSize(input); told.ok()) {
    if (stele::FormatTlogSize(*told) != input) std::abort();
  }
  return 0;
}
