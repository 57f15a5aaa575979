// A proof text that is read is written back as the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/tlog/tlog_proof.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto proof = stele::ParseTlogProof(input); proof.ok()) {
    if (stele::FormatTlogProof(*proof) != input || proof->hashes.size() > 63) std::abort();
  }
  return 0;
}
