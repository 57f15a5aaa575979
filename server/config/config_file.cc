#include "server/config/config_file.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <toml.hpp>
#include <utility>
#include <vector>

#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/config/option.h"

namespace stele::server {
namespace {

absl::Status Fault(std::string_view file, uint_least32_t line, std::string_view what) {
  return absl::InvalidArgumentError(Cat(file, ":", line, ": ", what));
}

// The first line of toml11's multi-line message, without its "[error] toml::…: " prefix.
std::string Brief(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  if (const size_t colon = message.rfind(": "); colon != std::string_view::npos) {
    message.remove_prefix(colon + 2);
  }
  return std::string(message.empty() ? "no TOML" : message);
}

// The value as the flag would be written; INVALID_ARGUMENT if its type is not the option's.
absl::StatusOr<std::string> ValueText(const Option& option, const toml::value& value) {
  using K = Option::Kind;
  if (option.kind == K::kSwitch) {
    if (!value.is_boolean()) return absl::InvalidArgumentError("true or false is expected");
    return value.as_boolean(std::nothrow) ? "true" : "false";
  }
  if (value.is_integer() && option.kind != K::kText) {
    return Cat(value.as_integer(std::nothrow));
  }
  if (value.is_string() && option.kind != K::kNumber) return value.as_string(std::nothrow).str;
  return absl::InvalidArgumentError(option.kind == K::kNumber ? "a whole number is expected"
                                    : option.kind == K::kBytes
                                        ? "bytes are expected, like 1048576 or \"256MiB\""
                                        : "a string is expected");
}

absl::Status ApplyOne(const Option& option, const toml::value& value, Config& config) {
  STELE_ASSIGN_OR_RETURN(std::string text, ValueText(option, value));
  return option.set(text, config);
}

absl::Status ApplyValue(const std::string& key, const toml::value& value, Config& config) {
  const Option* option = FindOption(key);
  if (option == nullptr) {
    return absl::InvalidArgumentError("is no key of this file; `steled --help` lists the flags");
  }
  if (option->clear) option->clear(config);
  if (!option->clear || !value.is_array()) return ApplyOne(*option, value, config);
  for (const toml::value& one : value.as_array(std::nothrow)) {
    STELE_RETURN_IF_ERROR(ApplyOne(*option, one, config));
  }
  return absl::OkStatus();
}

absl::Status ApplyTable(const toml::table& table, std::string_view file, Config& config) {
  std::vector<std::pair<uint_least32_t, std::string>> keys;
  for (const auto& [key, value] : table) keys.emplace_back(value.location().line(), key);
  std::sort(keys.begin(), keys.end());  // the first fault in the file is the one reported
  for (const auto& [line, key] : keys) {
    if (absl::Status status = ApplyValue(key, table.at(key), config); !status.ok()) {
      return Fault(file, line, Cat(key, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ApplyConfigText(std::string_view text, std::string_view file, Config& config) {
  std::istringstream in{std::string(text)};
  try {
    const toml::value root = toml::parse(in, std::string(file));
    return ApplyTable(root.as_table(), file, config);
  } catch (const toml::exception& error) {
    return Fault(file, error.location().line(), Brief(error.what()));
  } catch (const std::exception& error) {  // toml11 throws plain ones for bytes that are no text
    return Fault(file, 1, Brief(error.what()));
  }
}

absl::Status ApplyConfigFile(const std::filesystem::path& file, Config& config) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in) {
    return absl::NotFoundError(Cat("cannot read the --config file ", file.string()));
  }
  return ApplyConfigText(text.str(), file.string(), config);
}

}  // namespace stele::server
