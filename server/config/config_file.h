// The TOML file of --config: every flag by its name without the dashes, no tables.
//
//   data = "/var/lib/stele"
//   listen = "0.0.0.0:7420"
//   drain-timeout = "30s"
//   disk-reserve = "1GiB"
//   accept-clock = false
#pragma once

#include <filesystem>
#include <string_view>

#include "absl/status/status.h"
#include "server/config/config.h"

namespace stele::server {

// Applies the text of `file` (its name, for messages) to `config`. INVALID_ARGUMENT names file and
// line of the first fault: syntax, an unknown key, a value of the wrong type or out of range.
absl::Status ApplyConfigText(std::string_view text, std::string_view file, Config& config);

// The same from disk. NOT_FOUND if the file cannot be read.
absl::Status ApplyConfigFile(const std::filesystem::path& file, Config& config);

}  // namespace stele::server
