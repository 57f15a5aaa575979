// A file's bytes, a block at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

namespace stele::store {

// Calls `visit` with blocks of `block_bytes`, the last one shorter, until it returns false.
// NOT_FOUND if there is no such file, UNAVAILABLE if it cannot be read.
absl::Status ReadInBlocks(const std::filesystem::path& path, size_t block_bytes,
                          absl::FunctionRef<bool(std::string_view block)> visit);

}  // namespace stele::store
