// stele reindex: the derived index of a stopped store, anew.
#include "store/reindex.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/base/concat.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/progress.h"

namespace stele::tools {
namespace {

absl::Status Say(const store::ReindexReport& report, bool json) {
  if (json) {
    return WriteJson(JsonObject({{"entries", JsonNumber(report.entries)},
                                 {"rows", JsonNumber(report.rows)},
                                 {"records", JsonNumber(report.records)},
                                 {"references", JsonNumber(report.references)},
                                 {"runs", JsonNumber(report.runs)},
                                 {"cohorts", JsonNumber(report.cohorts)}}));
  }
  return WriteLine(Concat("entries ", report.entries, ", rows ", report.rows, ", records ",
                          report.records, ", references ", report.references, ", runs ",
                          report.runs, ", cohorts ", report.cohorts));
}

// A folder that is no store, or is in use: the command line named the wrong one, or came too early.
absl::Status AsUsage(const absl::Status& status) {
  if (!absl::IsNotFound(status) && !absl::IsFailedPrecondition(status)) return status;
  return UsageError(std::string(status.message()));
}

int Reindex(const std::string& dir, const CommonFlags& flags) {
  Progress progress(flags.quiet);
  store::ReindexOptions options;
  options.dir = dir;
  options.progress = [&](uint64_t done, uint64_t all) {
    if (progress.due()) progress.Draw(Concat("entries: ", done, " of ", all));
  };
  const absl::StatusOr<store::ReindexReport> report = store::Reindex(options);
  progress.Clear();
  if (!report.ok()) return Fail(AsUsage(report.status()));
  if (absl::Status said = Say(*report, flags.json); !said.ok()) return Fail(said);
  return kExitDone;
}

}  // namespace

void AddReindexCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto dir = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "reindex",
      "Throw the derived index of the store in DIR away and derive it anew from the log: lists,\n"
      "names, references, cohorts. The store's server is stopped meanwhile; the log is only read.\n"
      "Not needed after an upgrade: a server does the same by itself, beside its work.");
  command->add_option("DIR", *dir, "The store's folder")->required();
  command->footer("Example:\n  stele reindex ./data");
  command->callback([dir, &flags, &exit_code] { exit_code = Reindex(*dir, flags); });
}

}  // namespace stele::tools
