// Input: the state file of an audit. What is accepted is what an audit writes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "client/audit/state.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto state = stele::client::ParseAuditState(text);
  if (state.ok() && stele::client::FormatAuditState(*state) != text) std::abort();
  return 0;
}
