#include <CLI/CLI.hpp>
#include <string>

#include "core/base/concat.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"

namespace stele::tools {
namespace {

void AddCommonFlags(CLI::App& app, CommonFlags& flags) {
  app.add_option("--server", flags.server, "gRPC address of the server, host:port")
      ->envname("STELE_SERVER")
      ->capture_default_str();
  app.add_option("--policy", flags.policy,
                 "Trust policy of the log; without one the first contact pins the server");
  app.add_option("--state", flags.state,
                 "Folder of pins and last checkpoints [$XDG_STATE_HOME/stele, else\n"
                 "~/.local/state/stele]");
  app.add_option("--ca", flags.ca, "TLS: certificates to trust, PEM");
  app.add_option("--cert", flags.cert, "TLS: own certificate, PEM");
  app.add_option("--cert-key", flags.cert_key, "TLS: key of --cert, PEM");
  app.add_option("--timeout", flags.timeout_text,
                 "Give up after this long without an answer: 500ms, 30s, 2m")
      ->check([&flags](const std::string& text) {
        std::optional<std::chrono::milliseconds> parsed = ParseDuration(text);
        if (parsed) flags.timeout = *parsed;
        return parsed ? std::string() : "expected a duration such as 500ms, 30s or 2m";
      })
      ->capture_default_str();
  app.add_flag("--json", flags.json, "One JSON document on standard output, NDJSON for lists");
  app.add_flag("--quiet", flags.quiet, "Only results and errors");
}

}  // namespace

int RunStele(int argc, const char* const* argv, std::string_view version) {
  CommonFlags flags;
  int exit_code = kExitDone;
  CLI::App app("stele: publish and fetch signed records in a Stele log");
  app.set_version_flag("--version", Concat("stele ", version));
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Exit codes: 0 done, 1 some item failed, 2 usage, 3 cannot reach the server,\n"
      "4 verification failed: do not trust this source.\n"
      "`stele COMMAND --help` describes a command; the options above may follow it.");
  AddCommonFlags(app, flags);
  AddInitCommand(app, flags, exit_code);
  AddKeygenCommand(app, flags, exit_code);
  AddKeyCommand(app, flags, exit_code);
  AddDigestCommand(app, flags, exit_code);
  AddCanonicalizeCommand(app, flags, exit_code);
  AddPushCommand(app, flags, exit_code);
  AddGetCommand(app, flags, exit_code);
  AddListCommand(app, flags, exit_code);
  AddHistoryCommand(app, flags, exit_code);
  AddCohortCommand(app, flags, exit_code);
  AddArtifactCommand(app, flags, exit_code);
  AddAttestCommand(app, flags, exit_code);
  AddVerifyRunCommand(app, flags, exit_code);
  AddRetractCommand(app, flags, exit_code);
  AddPolicyCommand(app, flags, exit_code);
  AddWithholdCommands(app, flags, exit_code);
  AddLogKeyCommand(app, flags, exit_code);
  AddLogCommand(app, flags, exit_code);
  AddFsckCommand(app, flags, exit_code);
  AddReindexCommand(app, flags, exit_code);
  AddCiteCommand(app, flags, exit_code);
  AddVerifyCommand(app, flags, exit_code);
  AddAuditCommand(app, flags, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kExitDone : kExitUsage;
  }
  return exit_code;
}

}  // namespace stele::tools
