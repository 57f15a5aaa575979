// New files and folders that are on stable storage when the call returns, with their folder entry.
//
// Errors: ALREADY_EXISTS (never overwritten), NOT_FOUND (the folder above is missing),
// RESOURCE_EXHAUSTED (DISK_FULL), PERMISSION_DENIED, else UNAVAILABLE; a partial file may stay
// behind.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::store {

absl::Status MakeFolder(const std::filesystem::path& path, unsigned mode);
absl::Status WriteNewFile(const std::filesystem::path& path, std::string_view bytes, unsigned mode);
absl::Status SyncFolder(const std::filesystem::path& path);
absl::StatusOr<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace stele::store
