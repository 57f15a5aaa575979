// What lies in a store's folder:
//
//   format    "stele store v1\n"; written last: a folder without it is no finished store
//   log.key   the log's private key, PKCS#8 PEM, 0600
//   policy    C2SP tlog-policy: the log's vkey, `quorum none`
//   db/       the backend's own
//   index/    the derived index; may be removed while nobody has the store open
//
// and beside it the guard, by default <folder>.guard.
#pragma once

#include <filesystem>

#include "absl/status/status.h"

namespace stele::store {

struct StorePaths {
  std::filesystem::path dir, format, log_key, policy, db, index, guard;
};
// An empty `guard` is the default one.
StorePaths PathsOf(const std::filesystem::path& dir, const std::filesystem::path& guard);

inline constexpr char kFormatText[] = "stele store v1\n";

// OK if a finished store of this version lies there. NOT_FOUND: nothing does; FAILED_PRECONDITION:
// its creation was not finished, or another version made it.
absl::Status CheckStoreFolder(const StorePaths& paths);

// OK if nothing stands in the way of a new store; else ALREADY_EXISTS, or NOT_FOUND if the folder
// above is missing.
absl::Status CheckNewFolder(const StorePaths& paths);

}  // namespace stele::store
