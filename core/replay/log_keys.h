// Which log keys have to sign a checkpoint, and whether one that counts did (rule 32). Pure.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "core/base/strong_int.h"
#include "core/replay/events.h"

namespace stele {

// `keys` as they follow from the entries below `size`; `signers`: vkeys of the keys known to the
// reader whose signatures verified. Gives the vkeys that should have signed and did not: to be
// reported, not refused. LOG_KEY_RETIRED (INVALID_ARGUMENT) if no signer is current at this size.
absl::StatusOr<std::vector<std::string>> CheckLogKeys(TreeSize size,
                                                      absl::Span<const LogKeySpan> keys,
                                                      absl::Span<const std::string> signers);

}  // namespace stele
