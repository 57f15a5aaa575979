// Opening the log in a store's folder, at the start and again after the disk was full.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "core/crypto/key.h"
#include "store/log/opened_log.h"
#include "store/store.h"
#include "store/store_folder.h"

namespace stele::store {

// dir/log.key. FAILED_PRECONDITION if it is missing or no key.
absl::StatusOr<PrivateKey> ReadLogKey(const StorePaths& paths);

// In this order: the guard and its lock, the backend (nothing is written to it before the guard's
// rules are met), recovery, and the guard brought up to the head, so that what readers are about to
// see is never lost unnoticed. FAILED_PRECONDITION: no guard without options.accept_no_guard,
// another store's guard, a head below it or of another history, another process holds the store,
// not this log's key. DATA_LOSS: damaged.
absl::StatusOr<OpenedLog> OpenLog(const StorePaths& paths, const OpenOptions& options,
                                  const std::vector<PrivateKey>& log_keys);

}  // namespace stele::store
