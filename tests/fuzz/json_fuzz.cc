// Any bytes through the strict reader. Whatever is accepted, its canonical form is accepted and is
// its own canonical form; the fast reader and the exact one agree about every text.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/json/canonical.h"
#include "core/json/first_fault.h"
#include "core/json/parse.h"

namespace {

void Demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace stele::json;  // NOLINT: a file of one function
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<Value> value = Parse(text);
  const absl::Status exact = FirstFault(text, stele::limits::kJsonDepth);
  Demand(value.status() == exact || size > stele::limits::kManifestBytes,
         "the fast reader and the exact one disagree");
  if (!value.ok()) return 0;
  const std::string canonical = Canonical(*value);
  const absl::StatusOr<Value> again = Parse(canonical, {.max_bytes = canonical.size()});
  Demand(again.ok(), "a canonical form is refused");
  Demand(Canonical(*again) == canonical, "a canonical form is not its own canonical form");
  return 0;
}
