#include "tools/command/session.h"

#include <utility>

#include "client/backoff.h"
#include "client/pins.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/policy_file.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

constexpr size_t kFlagFileBytes = 1024 * 1024;

// The content of a file named by a flag; empty if the flag was not given.
absl::StatusOr<std::string> ReadFlagFile(std::string_view flag, const std::string& path) {
  if (path.empty()) return std::string();
  absl::StatusOr<std::string> text = ReadFileAtMost(path, kFlagFileBytes);
  if (text.ok()) return text;
  return UsageError(Concat(flag, ": ", std::string(text.status().message())));
}

}  // namespace

absl::StatusOr<client::ConnectOptions> ConnectOptionsOf(const CommonFlags& flags) {
  client::ConnectOptions options;
  options.address = flags.server;
  if (flags.server.empty() || flags.server.find_first_of(" \t\r\n") != std::string::npos) {
    return UsageError("--server: expected host:port");
  }
  options.timeout = flags.timeout;
  STELE_ASSIGN_OR_RETURN(options.ca, ReadFlagFile("--ca", flags.ca));
  STELE_ASSIGN_OR_RETURN(options.cert, ReadFlagFile("--cert", flags.cert));
  STELE_ASSIGN_OR_RETURN(options.cert_key, ReadFlagFile("--cert-key", flags.cert_key));
  if (flags.cert.empty() != flags.cert_key.empty()) {
    return UsageError("--cert and --cert-key belong together");
  }
  options.tls = !flags.ca.empty() || !flags.cert.empty();
  return options;
}

absl::StatusOr<client::TrustOptions> TrustOptionsOf(const CommonFlags& flags) {
  client::TrustOptions options;
  if (!flags.policy.empty()) {
    STELE_ASSIGN_OR_RETURN(options.policy, ReadPolicyFile(flags.policy));
  }
  options.state_dir = flags.state;
  if (flags.state.empty()) {
    absl::StatusOr<std::filesystem::path> dir = client::DefaultStateDir();
    if (dir.ok()) {
      options.state_dir = *std::move(dir);
    } else if (!options.policy) {
      return UsageError(std::string(dir.status().message()));
    }
  }
  options.notify = [](std::string_view message) { Complain(message); };
  return options;
}

absl::StatusOr<Session> OpenSession(const CommonFlags& flags, bool patient) {
  STELE_ASSIGN_OR_RETURN(client::ConnectOptions connect, ConnectOptionsOf(flags));
  STELE_ASSIGN_OR_RETURN(client::TrustOptions trust, TrustOptionsOf(flags));
  if (trust.state_dir.empty()) {
    Complain("no checkpoint is kept: neither XDG_STATE_HOME, HOME nor --state says where");
  }
  auto connection = std::make_unique<client::Connection>(std::move(connect));
  absl::StatusOr<client::Contact> contact = absl::UnavailableError("");
  const auto attempt = [&] {
    contact = client::MakeContact(*connection, trust);
    return contact.status();
  };
  bool told = false;
  const auto notify = [&](const absl::Status& status) {
    if (!told && !flags.quiet) {
      Complain(Concat(std::string(status.message()), "; trying again for ", flags.timeout_text));
    }
    told = true;
  };
  if (patient) {
    client::RetryWhileUnavailable(flags.timeout, attempt, notify).IgnoreError();
  } else {
    attempt().IgnoreError();
  }
  if (!contact.ok()) return contact.status();
  return Session{std::move(connection), std::move(contact->info), std::move(contact->verifier)};
}

}  // namespace stele::tools
