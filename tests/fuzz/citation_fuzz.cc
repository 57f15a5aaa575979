// A bundle that is read is written back as the same bytes, and verifying it never crashes; what it
// verifies it has proven.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/citation/verify.h"

namespace {

// The log key of the golden vectors, so that the corpus verifies.
const stele::TrustPolicy& Policy() {
  static const stele::TrustPolicy policy = *stele::ParseTrustPolicy(
      "log log.example/vectors+8a0bde2f+AUkBRa8qGQg1VtOnQhD+7HwqPFrRSG7FzECIYywG+SX8\n"
      "quorum none\n");
  return policy;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto citation = stele::ParseCitation(input);
  if (!citation.ok()) return 0;
  if (stele::FormatCitation(*citation) != input) std::abort();
  const auto verdict = stele::VerifyCitation(*citation, Policy());
  if (verdict.ok() && (verdict->about.empty() || verdict->checkpoint.signers.empty())) std::abort();
  return 0;
}
