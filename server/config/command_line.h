// steled's command line.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "server/config/config.h"

namespace stele::server {

// Printed on stdout, then exit 0: --help, --version.
struct Answer {
  std::string text;
};

// `args` without the program's name. The --config file first, then the flags, which win.
// INVALID_ARGUMENT or NOT_FOUND: one sentence, exit 2.
absl::StatusOr<std::variant<Config, Answer>> ParseCommandLine(const std::vector<std::string>& args,
                                                              std::string_view version);

}  // namespace stele::server
