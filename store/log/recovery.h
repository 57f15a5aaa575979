// From what is stored to a state that may be continued. The same code at start and after a disk
// that was full; cost and memory do not grow with the log (at most 255 hashes a level, and the
// administrative events: keys, policy, withholdings, log keys).
#pragma once

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/key.h"
#include "store/backend/backend.h"
#include "store/log/log_signer.h"
#include "store/log/log_state.h"

namespace stele::store {

struct Recovered {
  std::shared_ptr<const Snapshot> snapshot;
  LogState state;
  LogSigner signer;  // the log keys under the log's name
  Hash genesis_leaf_hash;
};

// FAILED_PRECONDITION if there is no genesis, or none of `log_keys` is a key of this log; DATA_LOSS
// if head, checkpoint, tiles and entries do not agree: restore from a copy.
absl::StatusOr<Recovered> Recover(const Backend& backend, const std::vector<PrivateKey>& log_keys);

// Whether the tree that `snapshot` shows reaches `size` and had `root` there: what a guard
// remembers. FAILED_PRECONDITION, saying which of the two it is; DATA_LOSS if tiles are damaged.
absl::Status CheckReaches(const Snapshot& snapshot, TreeSize size, const Hash& root);

}  // namespace stele::store
