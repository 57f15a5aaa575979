#include "core/replay/log_keys.h"

#include <algorithm>

#include "core/base/concat.h"
#include "core/base/refusal.h"

namespace stele {

absl::StatusOr<std::vector<std::string>> CheckLogKeys(TreeSize size,
                                                      absl::Span<const LogKeySpan> keys,
                                                      absl::Span<const std::string> signers) {
  std::vector<std::string> missing;
  bool signed_by_current = false;
  for (const LogKeySpan& span : keys) {
    if (!span.Current(size)) continue;
    std::string vkey = span.key.ToVkey();
    if (std::find(signers.begin(), signers.end(), vkey) != signers.end()) {
      signed_by_current = true;
    } else {
      missing.push_back(std::move(vkey));
    }
  }
  if (signed_by_current) return missing;
  return RefuseInput(
      reason::kLogKeyRetired, "",
      Concat("no log key that is current at size ", size.value(), " signed the checkpoint"));
}

}  // namespace stele
