// Input: a leaf. What is accepted is what the builders write of its parts.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/refusal.h"
#include "core/statement/entry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stele;  // NOLINT
  const std::string_view leaf(reinterpret_cast<const char*>(data), size);
  const auto entry = ParseLeaf(leaf);
  if (!entry.ok()) {
    if (ReasonOf(entry.status()).empty()) std::abort();
    return 0;
  }
  absl::StatusOr<std::string> built;
  if (const auto* stored = std::get_if<StoredEnvelope>(&entry->body)) {
    built = BuildInlineLeaf(entry->authority,
                            FormatEnvelope(stored->payload, stored->key, stored->signature),
                            entry->logged);
  } else {
    built =
        BuildDetachedLeaf(entry->authority, std::get<DetachedEnvelope>(entry->body), entry->logged);
  }
  if (!built.ok() || *built != leaf) std::abort();
  return 0;
}
