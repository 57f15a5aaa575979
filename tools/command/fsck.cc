// stele fsck: the store on disk, from the bytes up.
#include "store/fsck/fsck.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/fsck/repair.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/progress.h"
#include "tools/command/repair_source.h"

namespace stele::tools {
namespace {

struct FsckFlags {
  std::string dir;
  std::string guard;
  std::string source;  // to repair from; empty: check only
};

// Findings as they come, on standard output, and how far it is, on a terminal.
class Teller {
 public:
  Teller(bool json, bool quiet) : json_(json), progress_(quiet) {}

  void Found(const store::Finding& finding) {
    progress_.Clear();
    if (!status_.ok()) return;
    status_ = json_ ? WriteJson(JsonObject({{"kind", JsonText(finding.kind)},
                                            {"name", JsonText(finding.name)},
                                            {"problem", JsonText(finding.problem)},
                                            {"remedy", JsonText(finding.remedy)}}))
                    : WriteLine(finding.Text());
  }

  void At(const store::FsckProgress& at) {
    if (!progress_.due()) return;
    progress_.Draw(at.all_entries == 0 ? Concat("files: ", at.file_bytes >> 20, " MiB")
                                       : Concat(at.indexing ? "index: " : "entries: ", at.entries,
                                                " of ", at.all_entries));
  }

  // What a repair did. Findings before this line are of before it, those after it are left.
  absl::Status Repaired(const store::RepairReport& report) {
    progress_.Clear();
    STELE_RETURN_IF_ERROR(status_);
    if (json_) {
      return WriteJson(JsonObject({{"rebuilt", json::Value(report.rebuilt)},
                                   {"kept", JsonText(report.kept.string())},
                                   {"foundBefore", JsonNumber(report.before.findings)},
                                   {"leavesFetched", JsonNumber(report.leaves_fetched)},
                                   {"contentsFetched", JsonNumber(report.contents_fetched)}}));
    }
    if (!report.rebuilt) return absl::OkStatus();
    return WriteLine(Concat("repaired: fetched ", report.leaves_fetched, " entries and ",
                            report.contents_fetched, " contents; the damaged database is kept in ",
                            report.kept.string()));
  }

  // The last line. An error of writing, this one or an earlier one.
  absl::Status Sum(const store::FsckReport& report) {
    progress_.Clear();
    STELE_RETURN_IF_ERROR(status_);
    if (json_) return SumJson(report);
    for (const std::string& torn : report.torn) {
      STELE_RETURN_IF_ERROR(WriteLine(Concat(torn, ": a kill leaves that, it is no damage")));
    }
    return WriteLine(Concat("size ", report.log.size.value(), ", files ", report.files,
                            ", entries ", report.log.entries, ", tiles ", report.log.tiles,
                            ", contents ", report.log.contents, IndexText(report), ", damaged ",
                            report.findings));
  }

 private:
  static std::string IndexText(const store::FsckReport& report) {
    if (!report.index_checked) return ", index not compared";
    return Concat(", index rows ", report.index.rows, " of ", report.index.applied.value(),
                  " entries");
  }

  static absl::Status SumJson(const store::FsckReport& report) {
    json::Array torn;
    for (const std::string& text : report.torn) torn.push_back(JsonText(text));
    return WriteJson(JsonObject({{"clean", json::Value(report.findings == 0)},
                                 {"size", JsonNumber(report.log.size.value())},
                                 {"root", JsonText(report.log.root.ToText())},
                                 {"files", JsonNumber(report.files)},
                                 {"fileBytes", JsonNumber(report.file_bytes)},
                                 {"entries", JsonNumber(report.log.entries)},
                                 {"tiles", JsonNumber(report.log.tiles)},
                                 {"contents", JsonNumber(report.log.contents)},
                                 {"contentBytes", JsonNumber(report.log.content_bytes)},
                                 {"torn", json::Value(std::move(torn))},
                                 {"indexCompared", json::Value(report.index_checked)},
                                 {"indexApplied", JsonNumber(report.index.applied.value())},
                                 {"indexRows", JsonNumber(report.index.rows)},
                                 {"damaged", JsonNumber(report.findings)}}));
  }

  const bool json_;
  Progress progress_;
  absl::Status status_;
};

// What a folder that cannot be checked comes to: the command line named the wrong one.
absl::Status AsUsage(const absl::Status& status) {
  if (!absl::IsNotFound(status) && !absl::IsPermissionDenied(status)) return status;
  return UsageError(std::string(status.message()));
}

absl::StatusOr<store::FsckReport> CheckOnly(const store::FsckOptions& options) {
  absl::StatusOr<store::FsckReport> report = store::Fsck(options);
  if (!report.ok()) return AsUsage(report.status());
  return report;
}

absl::StatusOr<store::FsckReport> Repair(const FsckFlags& fsck, const CommonFlags& flags,
                                         const store::FsckOptions& options, Teller& teller) {
  STELE_ASSIGN_OR_RETURN(OpenedSource opened, OpenSource(fsck.source, flags));
  OpenedRepairSource source(std::move(opened));
  STELE_ASSIGN_OR_RETURN(store::RepairReport report, store::Repair({.fsck = options}, source));
  STELE_RETURN_IF_ERROR(teller.Repaired(report));
  return std::move(report.after);
}

int Fsck(const FsckFlags& fsck, const CommonFlags& flags) {
  Teller teller(flags.json, flags.quiet);
  store::FsckOptions options;
  options.dir = fsck.dir;
  options.guard = fsck.guard;
  options.found = [&](const store::Finding& finding) { teller.Found(finding); };
  options.progress = [&](const store::FsckProgress& at) { teller.At(at); };
  const absl::StatusOr<store::FsckReport> report =
      fsck.source.empty() ? CheckOnly(options) : Repair(fsck, flags, options, teller);
  if (!report.ok()) return Fail(report.status());
  if (absl::Status told = teller.Sum(*report); !told.ok()) return Fail(told);
  return report->findings == 0 ? kExitDone : kExitFailed;
}

}  // namespace

void AddFsckCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto fsck = std::make_shared<FsckFlags>();
  CLI::App* command = app.add_subcommand(
      "fsck",
      "Check the store in DIR from the bytes up: every file, row, hash, signature and role,\n"
      "all content, the guard, and the derived index. Without --repair-from it changes\n"
      "nothing and takes no lock: a server may be running.\n"
      "One line for each damaged thing, with what to do. Exit codes: 0 clean, 1 damage, 2 usage.");
  command->add_option("DIR", fsck->dir, "The store's folder")->required();
  command->add_option("--guard", fsck->guard, "The store's guard [DIR.guard]");
  command->add_option("--repair-from", fsck->source,
                      "Bring it back to clean from a copy of the log: a server's host:port, an\n"
                      "http(s):// prefix or a folder of static files. The server of this store is\n"
                      "stopped meanwhile; the damaged database is kept beside the new one");
  command->footer(
      "Examples:\n"
      "  stele fsck ./data\n"
      "  stele fsck ./data --repair-from mirror.example.org:7420\n"
      "  stele fsck ./data --repair-from https://mirror.example.org\n"
      "  stele fsck ./data --json | jq 'select(.kind == \"content\")'");
  command->callback([fsck, &flags, &exit_code] { exit_code = Fsck(*fsck, flags); });
}

}  // namespace stele::tools
