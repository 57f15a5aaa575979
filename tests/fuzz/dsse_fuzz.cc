// Input: an envelope as it comes in. What is accepted is kept in one form, which reads back to the
// same bytes both ways.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/limits.h"
#include "core/base/refusal.h"
#include "core/json/parse.h"
#include "core/statement/dsse.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stele;  // NOLINT
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto envelope = ParseEnvelope(text);
  if (!envelope.ok()) {
    if (ReasonOf(envelope.status()).empty()) std::abort();
    return 0;
  }
  const KeyId key;
  const std::string kept = FormatEnvelope(envelope->payload, key, envelope->signature);
  const auto value = json::Parse(kept, {.max_bytes = kept.size()});
  if (!value.ok()) std::abort();
  const auto stored = StoredEnvelopeFromValue(*value);
  if (!stored.ok() || stored->key != key || stored->payload != envelope->payload ||
      stored->signature != envelope->signature) {
    std::abort();
  }
  return 0;
}
