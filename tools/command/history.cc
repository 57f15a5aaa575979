// stele history: every entry about a record, and what it comes to.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/output.h"
#include "tools/command/query_session.h"

namespace stele::tools {
namespace {

struct HistoryFlags {
  std::string digest;
};

absl::Status PrintEvidence(const client::EvidenceAnswer& evidence) {
  std::string line = Concat("evidence  ", evidence.level);
  for (const std::string& reason : evidence.reasons) line += Concat("  ", reason);
  STELE_RETURN_IF_ERROR(WriteLine(line));
  for (const client::EvidenceAnswer::Verification& row : evidence.verifications) {
    std::string verdict = row.not_counted.empty() ? "counts" : Concat("not: ", row.not_counted);
    if (row.instead) verdict += Concat(" (entry ", row.instead->value(), ")");
    STELE_RETURN_IF_ERROR(
        WriteLine(Concat("          verification in entry ", row.index.value(), "  ", verdict)));
  }
  return absl::OkStatus();
}

absl::Status PrintHead(const client::HistoryAnswer& history) {
  const Standing& standing = history.standing;
  STELE_RETURN_IF_ERROR(WriteLine(Concat("record    ", standing.record.ToText())));
  if (standing.owner) {
    STELE_RETURN_IF_ERROR(WriteLine(Concat("owner     ", standing.owner->ToText())));
  }
  for (const std::string& warning : WarningsOf(standing)) {
    STELE_RETURN_IF_ERROR(WriteLine(Concat("status    ", warning)));
  }
  for (const KeyId& key : standing.withdrawn_by) {
    STELE_RETURN_IF_ERROR(
        WriteLine(Concat("withdrawn ", key.ToText(), " took its own publication back")));
  }
  if (history.evidence) STELE_RETURN_IF_ERROR(PrintEvidence(*history.evidence));
  return WriteLine("");
}

absl::Status PrintPage(const client::HistoryAnswer& history, bool first, bool as_json) {
  if (first && as_json) {
    STELE_RETURN_IF_ERROR(WriteJson(JsonObject(
        {{"standing", StandingJson(history.standing)},
         {"evidence", history.evidence ? EvidenceJson(*history.evidence) : json::Value()},
         {"applied", JsonNumber(history.standing.moment.applied.value())},
         {"treeSize", JsonNumber(history.standing.moment.size.value())}})));
  } else if (first) {
    STELE_RETURN_IF_ERROR(PrintHead(history));
  }
  for (const HistoryRow& row : history.entries.rows) {
    STELE_RETURN_IF_ERROR(as_json ? WriteJson(HistoryJson(row)) : WriteLine(HistoryText(row)));
  }
  return absl::OkStatus();
}

absl::Status PrintHistory(const HistoryFlags& history, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest digest, ResolveContent(session.fetcher(), history.digest));
  const client::Queries queries(*session.connection);
  PageRequest page;
  for (bool first = true;; first = false) {
    STELE_ASSIGN_OR_RETURN(const client::HistoryAnswer answer, queries.HistoryOf(digest, page));
    if (first) SayLag(answer.standing.moment, flags);
    STELE_RETURN_IF_ERROR(PrintPage(answer, first, flags.json));
    if (answer.entries.next_token.empty()) return absl::OkStatus();
    page.token = answer.entries.next_token;
  }
}

}  // namespace

void AddHistoryCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto history = std::make_shared<HistoryFlags>();
  CLI::App* command = app.add_subcommand(
      "history",
      "Everything that the log says about a record: who, what, when, at which index; whether\n"
      "it is retracted, superseded, disputed or withheld; its evidence level with reasons.\n"
      "The server's reading of its log: `stele audit` checks what it rests on.");
  command->add_option("DIGEST", history->digest, "sha256:…, or 8 or more hex digits if unique")
      ->required();
  command->footer(
      "With --json the first line is what it comes to, every other an entry.\n"
      "Example:\n"
      "  stele history c61f8cd5");
  command->callback(
      [history, &flags, &exit_code] { exit_code = Fail(PrintHistory(*history, flags)); });
}

}  // namespace stele::tools
