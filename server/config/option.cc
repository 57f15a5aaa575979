#include "server/config/option.h"

#include <utility>

#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/config/units.h"
#include "server/net/listen_address.h"

namespace stele::server {
namespace {

using Setter = std::function<absl::Status(std::string_view, Config&)>;

Setter Path(std::filesystem::path Config::*member) {
  return [member](std::string_view text, Config& config) {
    if (text.empty()) return absl::InvalidArgumentError("a path is expected");
    config.*member = std::string(text);
    return absl::OkStatus();
  };
}

using Paths = std::vector<std::filesystem::path>;

Setter AddPath(Paths Config::*member) {
  return [member](std::string_view text, Config& config) {
    if (text.empty()) return absl::InvalidArgumentError("a path is expected");
    (config.*member).emplace_back(std::string(text));
    return absl::OkStatus();
  };
}

std::function<void(Config&)> Clear(Paths Config::*member) {
  return [member](Config& config) { (config.*member).clear(); };
}

Setter Address(std::string Config::*member) {
  return [member](std::string_view text, Config& config) -> absl::Status {
    STELE_ASSIGN_OR_RETURN(ListenAddress address, ParseListenAddress(text));
    config.*member = address.ToText();
    return absl::OkStatus();
  };
}

Setter Switch(bool Config::*member) {
  return [member](std::string_view text, Config& config) {
    config.*member = text == "true";
    return absl::OkStatus();
  };
}

template <class Integer>
Setter Bytes(Integer Config::*member) {
  return [member](std::string_view text, Config& config) -> absl::Status {
    STELE_ASSIGN_OR_RETURN(config.*member, ParseBytes(text));
    return absl::OkStatus();
  };
}

template <class Integer>
Setter Count(Integer Config::*member, uint64_t least, uint64_t most) {
  return [=](std::string_view text, Config& config) -> absl::Status {
    STELE_ASSIGN_OR_RETURN(uint64_t value, ParseCount(text, least, most));
    config.*member = static_cast<Integer>(value);
    return absl::OkStatus();
  };
}

Setter Duration(std::chrono::milliseconds Config::*member) {
  return [member](std::string_view text, Config& config) -> absl::Status {
    STELE_ASSIGN_OR_RETURN(config.*member, ParseDuration(text));
    return absl::OkStatus();
  };
}

absl::Status SetArtifactBytes(std::string_view text, Config& config) {
  STELE_ASSIGN_OR_RETURN(config.artifact_bytes, ParseBytes(text));
  if (config.artifact_bytes <= limits::kArtifactBytesMost) return absl::OkStatus();
  return absl::InvalidArgumentError(
      Cat("at most ", limits::kArtifactBytesMost, " bytes are possible"));
}

absl::Status SetLogFormat(std::string_view text, Config& config) {
  if (text != "text" && text != "json") {
    return absl::InvalidArgumentError(Cat("\"", text, "\" is neither text nor json"));
  }
  config.log_format = text == "json" ? LogFormat::kJson : LogFormat::kText;
  return absl::OkStatus();
}

std::vector<Option> MakeOptions() {
  using K = Option::Kind;
  return {
      {"data", K::kText, "DIR", "", "data folder, made by `stele init` (required)",
       Path(&Config::data)},
      {"guard", K::kText, "FILE", "DIR.guard",
       "guard file against serving a store that was rolled back; best on another disk",
       Path(&Config::guard)},
      {"log-key", K::kText, "FILE", "",
       "a further log key, beside DIR/log.key: what a log-key entry brings in signs from then on; "
       "may be given several times",
       AddPath(&Config::log_keys), Clear(&Config::log_keys)},
      {"listen", K::kText, "HOST:PORT", "127.0.0.1:7420", "gRPC; port 0 picks a free one",
       Address(&Config::listen)},
      {"http", K::kText, "HOST:PORT", "127.0.0.1:7421",
       "checkpoint, tiles, entry bundles and content", Address(&Config::http)},
      {"admin", K::kText, "HOST:PORT", "127.0.0.1:7422", "/metrics, /healthz, /readyz",
       Address(&Config::admin)},
      {"accept-clock", K::kSwitch, "", "false",
       "write although the clock is behind the last entry or jumped ahead",
       Switch(&Config::accept_clock)},
      {"accept-no-guard", K::kSwitch, "", "false",
       "start although the guard file is missing, and write a new one",
       Switch(&Config::accept_no_guard)},
      {"drain-timeout", K::kText, "DURATION (ms, s, m, h)", "30s",
       "longest time from SIGTERM to the end", Duration(&Config::drain_timeout)},
      {"log-format", K::kText, "text|json", "text", "form of the lines on stderr", SetLogFormat},
      {"disk-reserve", K::kBytes, "BYTES", "256MiB",
       "publishing is refused while the disk has less free", Bytes(&Config::disk_reserve_bytes)},
      {"admission-threads", K::kNumber, "THREADS", "0",
       "threads that check statements; 0 is one for each core",
       Count(&Config::admission_threads, 0, 256)},
      {"queue-statements", K::kNumber, "STATEMENTS", "8192",
       "statements that may wait for the writer", Count(&Config::queue_statements, 1, 1'000'000)},
      {"guest-envelope-bytes", K::kBytes, "BYTES", "16KiB", "largest statement of a guest",
       Bytes(&Config::guest_envelope_bytes)},
      {"guest-key-statements", K::kNumber, "STATEMENTS A DAY", "50",
       "statements taken of one guest's key", Count(&Config::guest_key_statements, 0, 1'000'000)},
      {"guest-address-statements", K::kNumber, "STATEMENTS A DAY", "200",
       "statements of guests taken from one address",
       Count(&Config::guest_address_statements, 0, 1'000'000)},
      {"guest-statements", K::kNumber, "STATEMENTS A DAY", "10000",
       "statements taken of all guests together", Count(&Config::guest_statements, 0, 1'000'000)},
      {"artifact-bytes", K::kBytes, "BYTES", "256MiB", "largest artifact that is taken, up to 4GiB",
       SetArtifactBytes},
      {"staged-bytes", K::kBytes, "BYTES", "2GiB",
       "artifacts uploaded and not yet published, all together", Bytes(&Config::staged_bytes)},
      {"staged-time", K::kText, "DURATION (ms, s, m, h)", "24h",
       "an uploaded artifact that nobody publishes is dropped after so long",
       Duration(&Config::staged_time)},
      {"cache-bytes", K::kBytes, "BYTES", "64MiB", "memory for the store's read cache",
       Bytes(&Config::cache_bytes)},
      {"write-buffer-bytes", K::kBytes, "BYTES", "8MiB", "memory for the store's write buffer",
       Bytes(&Config::write_buffer_bytes)},
      {"max-connections", K::kNumber, "CONNECTIONS", "1024",
       "open connections of the --http listener; more are answered 503",
       Count(&Config::max_connections, 1, 65'536)},
  };
}

}  // namespace

const std::vector<Option>& Options() {
  static const auto& options = *new std::vector<Option>(MakeOptions());
  return options;
}

const Option* FindOption(std::string_view name) {
  for (const Option& option : Options()) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

}  // namespace stele::server
