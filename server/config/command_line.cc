#include "server/config/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <vector>

#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/config/config_file.h"
#include "server/config/option.h"

namespace stele::server {
namespace {

// Flags as they were written, by name.
struct Given {
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<std::string>> lists;  // of flags that may be repeated
  std::map<std::string, bool> switches;
  std::string config;
};

void Declare(CLI::App& app, Given& given) {
  app.add_option("--config", given.config,
                 "TOML file; any flag below may stand in it, the command line wins")
      ->type_name("FILE");
  for (const Option& option : Options()) {
    const std::string flag = "--" + option.name;
    if (option.kind == Option::Kind::kSwitch) {
      app.add_flag(flag, given.switches[option.name], option.help);
      continue;
    }
    const std::string shown = option.otherwise.empty() ? "" : Cat(" [", option.otherwise, "]");
    CLI::Option* made =
        option.clear
            ? app.add_option(flag, given.lists[option.name], option.help)->allow_extra_args(false)
            : app.add_option(flag, given.values[option.name], option.help);
    made->type_name(option.value + shown);
  }
}

std::vector<std::string> TextsOf(const Option& option, const Given& given) {
  if (option.clear) return given.lists.at(option.name);
  if (option.kind != Option::Kind::kSwitch) return {given.values.at(option.name)};
  return {given.switches.at(option.name) ? "true" : "false"};
}

absl::Status ApplyFlags(const CLI::App& app, const Given& given, Config& config) {
  for (const Option& option : Options()) {
    if (app.count("--" + option.name) == 0) continue;
    if (option.clear) option.clear(config);
    for (const std::string& text : TextsOf(option, given)) {
      if (absl::Status status = option.set(text, config); !status.ok()) {
        return absl::InvalidArgumentError(Cat("--", option.name, ": ", status.message()));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::variant<Config, Answer>> ParseCommandLine(const std::vector<std::string>& args,
                                                              std::string_view version) {
  CLI::App app("steled: the Stele server", "steled");
  app.set_version_flag("--version", Cat("steled ", version));
  Given given;
  Declare(app, given);
  std::vector<std::string> reversed(args.rbegin(), args.rend());  // as CLI11 wants it
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return Answer{app.help()};
  } catch (const CLI::CallForVersion&) {
    return Answer{Cat("steled ", version, "\n")};
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(Cat(error.what(), "; see steled --help"));
  }
  Config config;
  if (!given.config.empty()) STELE_RETURN_IF_ERROR(ApplyConfigFile(given.config, config));
  STELE_RETURN_IF_ERROR(ApplyFlags(app, given, config));
  if (config.data.empty()) {
    return absl::InvalidArgumentError("--data DIR is missing: the folder made by `stele init`");
  }
  return config;
}

}  // namespace stele::server
