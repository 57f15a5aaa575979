// The envelope of a detached entry, where it is kept as content.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "core/statement/entry.h"
#include "store/backend/backend.h"

namespace stele::store {

// Withheld or not. Nothing if the bytes are not there (they may have been dropped); DATA_LOSS if
// what stands there is not that envelope.
absl::StatusOr<std::optional<StoredEnvelope>> ReadKeptEnvelope(const Snapshot& snapshot,
                                                               const DetachedEnvelope& detached);

}  // namespace stele::store
