// Input: one byte is the number of entries less one, the rest the bundle. A bundle that is read is
// written back as the same bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/tlog/entry_bundle.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  const size_t count = static_cast<size_t>(static_cast<unsigned char>(input[0])) + 1;
  input.remove_prefix(1);
  const auto entries = stele::ParseEntryBundle(input, count);
  if (!entries.ok()) return 0;
  std::string again;
  for (std::string_view entry : *entries) stele::AppendBundleEntry(entry, again);
  if (again != input || entries->size() != count) std::abort();
  return 0;
}
