// Content of any size from a server to a file or to standard output, verified before anybody can
// take it for whole.
#pragma once

#include <cstdint>
#include <filesystem>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/digest.h"
#include "tools/command/common.h"
#include "tools/command/session.h"

namespace stele::tools {

// Into the new file `path`, by way of `path`.part, from which a later run goes on; gives the size.
// A file that is there with these very bytes is fine; ALREADY_EXISTS if it has others. NOT_FOUND,
// DATA_LOSS, and what client::DownloadContent and the disk say.
absl::StatusOr<uint64_t> FetchToFile(const Session& session, const Digest& digest,
                                     const std::filesystem::path& path, const CommonFlags& flags);

// To standard output, by way of a temporary file if it is too large to hold.
absl::Status FetchToOutput(const Session& session, const Digest& digest, const CommonFlags& flags);

// "12.3 MiB of 200.0 MiB", for a progress line.
std::string AmountText(uint64_t done, uint64_t size);

}  // namespace stele::tools
