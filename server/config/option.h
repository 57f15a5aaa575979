// The table of steled's flags: the one place that knows them. Command line, TOML file and --help
// are all read from it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "server/config/config.h"

namespace stele::server {

struct Option {
  // What a TOML value may be: a switch is a boolean, a number an integer, bytes either an integer
  // or a string, text a string.
  enum class Kind { kSwitch, kText, kNumber, kBytes };

  std::string name;  // "drain-timeout": the flag without its dashes, and the key in the file
  Kind kind = Kind::kText;
  std::string value;      // how --help names the value, with its unit
  std::string otherwise;  // the default, as one would write it; empty: none
  std::string help;
  // Sets the value, given as text ("true" or "false" for a switch). INVALID_ARGUMENT says what was
  // expected, without the name.
  std::function<absl::Status(std::string_view, Config&)> set;
  // Of a flag that may be given several times, in the file as a list: forgets what was set before.
  // Empty for the others.
  std::function<void(Config&)> clear = nullptr;
};

// In the order of --help.
const std::vector<Option>& Options();
// Null if there is no such flag.
const Option* FindOption(std::string_view name);

}  // namespace stele::server
