// Flags that every command takes, and how commands hang together.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace stele::tools {

struct CommonFlags {
  std::string server = "127.0.0.1:7420";
  std::string policy;  // trust policy file; empty: pins
  std::string state;   // folder of pins and checkpoints; empty: the user's default
  std::string ca, cert, cert_key;
  std::string timeout_text = "30s";
  std::chrono::milliseconds timeout{30000};
  bool json = false;
  bool quiet = false;
};

// "500ms", "30s", "2m", or a number of seconds; positive, at most a day. Nothing for anything else.
std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text);

// Each adds its subcommand to `app`. When the command line names it, it runs in CLI11's callback
// and leaves its exit code in `exit_code`. `flags` and `exit_code` outlive `app`.
void AddDigestCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddCanonicalizeCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddKeygenCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddInitCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddKeyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddPushCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddArtifactCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddGetCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddListCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddHistoryCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddCohortCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddAttestCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddVerifyRunCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddRetractCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddPolicyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
// withhold and restore-content.
void AddWithholdCommands(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddLogKeyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddFsckCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddReindexCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddLogCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddCiteCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddVerifyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);
void AddAuditCommand(CLI::App& app, const CommonFlags& flags, int& exit_code);

// Parses the command line, runs the command, gives the exit code. `version` is printed by
// --version.
int RunStele(int argc, const char* const* argv, std::string_view version);

}  // namespace stele::tools
