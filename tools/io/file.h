// Whole small files, and new files that never overwrite.
//
// Errors name the path and the system's reason: NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, else
// UNKNOWN; RESOURCE_EXHAUSTED if a file is larger than the caller takes.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace stele::tools {

absl::StatusOr<std::string> ReadFileAtMost(const std::filesystem::path& path, size_t max_bytes);

// Creates `path` with exactly this mode and content. File and folder entry are on stable storage
// when it returns OK; on an error nothing of it is left behind.
absl::Status WriteNewFile(const std::filesystem::path& path, std::string_view bytes, mode_t mode);

// Renames to a name that must not exist; both folders are synchronised.
absl::Status MoveToNewName(const std::filesystem::path& from, const std::filesystem::path& to);

// `errno` as a status whose message is "<what> <path>: <reason>".
absl::Status ErrnoStatus(int error, std::string_view what, const std::filesystem::path& path);

}  // namespace stele::tools
