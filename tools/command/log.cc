// stele log: the log, raw.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/base/time_text.h"
#include "tools/command/common.h"
#include "tools/command/entry_line.h"
#include "tools/command/log_proofs.h"
#include "tools/command/output.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct LogFlags {
  uint64_t start = 0;
  uint64_t limit = 0;
  bool raw = false;
};

absl::Status Head(bool raw, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(client::LogHead head, session.fetcher().GetHead());
  if (raw) return WriteOut(head.note);
  const std::string logged = FormatTime(head.last_logged);
  const std::string root = head.checkpoint.root.ToText();
  if (!flags.json) {
    return WriteOut(Concat("origin  ", head.checkpoint.origin, "\nsize    ",
                           head.checkpoint.size.value(), "\nroot    ", root, "\nlogged  ", logged,
                           "\n"));
  }
  return WriteJson(JsonObject({{"origin", JsonText(head.checkpoint.origin)},
                               {"size", JsonNumber(head.checkpoint.size.value())},
                               {"root", JsonText(root)},
                               {"logged", JsonText(logged)},
                               {"checkpoint", JsonText(head.note)}}));
}

absl::Status Entries(const LogFlags& log, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  const std::string& origin = session.verifier->origin();
  const auto print = [&](EntryIndex index, std::string_view leaf) -> absl::Status {
    if (log.raw) return WriteLine(leaf);
    STELE_ASSIGN_OR_RETURN(EntrySummary entry, Summarize(index, leaf, origin));
    return flags.json ? WriteJson(EntryJson(entry)) : WriteLine(EntryText(entry));
  };
  return session.fetcher().ListEntries(EntryIndex(log.start), log.limit, print);
}

}  // namespace

void AddLogCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto log = std::make_shared<LogFlags>();
  CLI::App* command = app.add_subcommand("log", "The log itself, verified.");
  command->require_subcommand(1);

  CLI::App* head = command->add_subcommand("head", "The newest signed checkpoint.");
  head->add_flag("--raw", log->raw, "The signed note, exactly");
  head->callback([log, &flags, &exit_code] { exit_code = Fail(Head(log->raw, flags)); });

  CLI::App* entries = command->add_subcommand(
      "entries",
      "Entries in order, one line each: index, time logged, type, signer, subjects.\n"
      "Every entry is proven to be in the tree that the checkpoint signs.");
  entries->add_option("--start", log->start, "First index")->capture_default_str();
  entries->add_option("--limit", log->limit, "How many; 0 is all that there are now")
      ->capture_default_str();
  entries->add_flag("--raw", log->raw, "The leaves themselves, one JSON text a line");
  entries->footer(
      "Examples:\n"
      "  stele log entries --start 0 --limit 10\n"
      "  stele log entries --json | jq .type");
  entries->callback([log, &flags, &exit_code] { exit_code = Fail(Entries(*log, flags)); });

  AddLogProofCommands(*command, flags, exit_code);
}

}  // namespace stele::tools
