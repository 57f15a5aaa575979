// What opening does to folders, each step synchronised: RocksDB does not do these itself.
#pragma once

#include <filesystem>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::store {

// Makes `dir` with its missing parents, all on stable storage. ALREADY_EXISTS if it is there and
// holds anything, or is no folder.
absl::Status MakeEmptyFolder(const std::filesystem::path& dir);

// Copies the write-ahead logs (*.log) of `dir` to a new folder dir/damaged-<n>, synchronised;
// returns it. Nothing to copy is fine.
absl::StatusOr<std::filesystem::path> CopyLogsAside(const std::filesystem::path& dir);

}  // namespace stele::store
