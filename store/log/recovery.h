// From what is stored to a state that may be continued. The same code at start and after a disk
// that was full; cost and memory do not grow with the log (at most 255 hashes a level, and the key
// events).
#pragma once

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/key.h"
#include "core/tlog/note.h"
#include "store/backend/backend.h"
#include "store/log/log_state.h"

namespace stele::store {

struct Recovered {
  std::shared_ptr<const Snapshot> snapshot;
  LogState state;
  NoteVerifier verifier;  // the log key under the log's name
  Hash genesis_leaf_hash;
};

// FAILED_PRECONDITION if there is no genesis, or `log_key` is not this log's key; DATA_LOSS if
// head, checkpoint, tiles and entries do not agree: restore from a copy.
absl::StatusOr<Recovered> Recover(const Backend& backend, const PrivateKey& log_key);

// Whether the tree that `snapshot` shows reaches `size` and had `root` there: what a guard
// remembers. FAILED_PRECONDITION, saying which of the two it is; DATA_LOSS if tiles are damaged.
absl::Status CheckReaches(const Snapshot& snapshot, TreeSize size, const Hash& root);

}  // namespace stele::store
