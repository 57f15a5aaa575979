// Input: a payload. What is accepted of Stele's own types is what FormatStatement writes of it;
// what is refused has a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/base/refusal.h"
#include "core/statement/key_ring.h"
#include "core/statement/statement.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stele;  // NOLINT
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  const auto statement = ParseStatement(payload, "log.example/vectors");
  if (!statement.ok()) {
    if (ReasonOf(statement.status()).empty()) std::abort();
    return 0;
  }
  if (statement->subjects.empty()) std::abort();
  if (statement->type == StatementType::kForeign) return 0;
  if (FormatStatement(*statement) != payload) std::abort();
  KeyRing ring;
  for (const KeyEvent& event :
       KeyEventsOf(*statement, EntryIndex(0), statement->subjects.front().digest, kNoEvent)) {
    ring.Add(event);
  }
  if (ring.Keys().size() != ring.events().size()) std::abort();
  return 0;
}
