// stele audit: the whole log of a source, re-derived.
#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/audit/auditor.h"
#include "client/audit/checks.h"
#include "client/audit/source_pin.h"
#include "client/checkpoint_files.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/audit_report.h"
#include "tools/command/audit_source.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/output.h"
#include "tools/command/progress.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct AuditFlags {
  std::string source;
  std::string state;
  size_t threads = 0;
};

// Whose word counts: the policy's keys, else the genesis that was pinned for this source.
absl::Status AddTrust(client::Source& source, const client::TrustOptions& trust,
                      std::optional<client::Pin>& to_pin, client::AuditOptions& options) {
  if (trust.policy) {
    options.policy = trust.policy;
    return absl::OkStatus();
  }
  STELE_ASSIGN_OR_RETURN(const client::Pin seen, client::PinOf(source));
  const client::PinFile pins(trust.state_dir);
  STELE_ASSIGN_OR_RETURN(const std::optional<client::PinFile::Found> pinned,
                         pins.Find(seen.address));
  options.genesis = seen.genesis;
  if (pinned) return client::CheckPin(pins, *pinned, seen);
  to_pin = seen;
  return absl::OkStatus();
}

// What is kept of the log from meetings with whatever source. A file that cannot be read is told:
// the audit goes on without it.
absl::Status AddKept(client::Source& source, const client::TrustOptions& trust,
                     client::AuditOptions& options) {
  if (trust.state_dir.empty()) return absl::OkStatus();
  const absl::StatusOr<std::string> note = source.Checkpoint();
  if (!note.ok()) return absl::OkStatus();  // the audit says what is wrong with it
  const absl::StatusOr<Checkpoint> shown = client::ReadCheckpoint(*note);
  if (!shown.ok()) return absl::OkStatus();
  const client::CheckpointFiles files(trust.state_dir, shown->origin);
  STELE_ASSIGN_OR_RETURN(std::vector<client::KeptCheckpoint> kept, files.Load());
  for (client::KeptCheckpoint& one : kept) {
    absl::StatusOr<Checkpoint> checkpoint = client::ReadCheckpoint(one.note);
    if (checkpoint.ok()) {
      options.known.push_back({std::move(one.note), *std::move(checkpoint)});
    } else {
      Complain(Concat(files.PathOf(one.size).string(), ": no checkpoint, not looked at"));
    }
  }
  return absl::OkStatus();
}

// The next meeting, with whatever source of this log, is held against what was audited.
void Keep(const client::TrustOptions& trust, const client::AuditReport& report) {
  if (trust.state_dir.empty() || report.checkpoint.size == TreeSize(0)) return;
  const client::CheckpointFiles files(trust.state_dir, report.checkpoint.origin);
  const auto kept = files.Keep({report.checkpoint.size, report.note}, report.checkpoint.size);
  if (!kept.ok())
    Complain(Concat("the checkpoint is not kept: ", std::string(kept.status().message())));
}

absl::Status AddPin(const client::TrustOptions& trust, const client::Pin& pin) {
  const client::PinFile pins(trust.state_dir);
  STELE_ASSIGN_OR_RETURN(const client::PinFile::Found found, pins.Add(pin));
  Complain(Concat("first audit of ", pin.address, ": pinned log ", pin.origin, ", genesis ",
                  pin.genesis.ToText(), " (", pins.path().string(), ":", found.line, ")"));
  return absl::OkStatus();
}

absl::StatusOr<client::AuditReport> Run(const AuditFlags& audit, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const client::TrustOptions trust, TrustOptionsOf(flags));
  STELE_ASSIGN_OR_RETURN(const OpenedSource opened, OpenSource(audit.source, flags));
  client::AuditOptions options;
  options.threads = audit.threads;
  if (!audit.state.empty()) options.state = audit.state;
  std::optional<client::Pin> to_pin;
  STELE_RETURN_IF_ERROR(AddTrust(*opened.source, trust, to_pin, options));
  // A session holds what its server shows against what is kept.
  const bool alone = opened.session == nullptr;
  if (alone) STELE_RETURN_IF_ERROR(AddKept(*opened.source, trust, options));
  Progress progress(flags.quiet);
  options.progress = [&](const client::AuditProgress& at) {
    if (progress.due()) progress.Draw(Concat("audited ", at.entries, " of ", at.of, " entries"));
  };
  STELE_ASSIGN_OR_RETURN(client::AuditReport report, client::Audit(*opened.source, options));
  if (to_pin) STELE_RETURN_IF_ERROR(AddPin(trust, *to_pin));
  if (alone) Keep(trust, report);
  return report;
}

int Audit(const AuditFlags& audit, const CommonFlags& flags) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const absl::StatusOr<client::AuditReport> report = Run(audit, flags);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (!report.ok()) return Fail(report.status());
  const absl::Status written =
      flags.json ? WriteJson(ReportJson(*report, seconds)) : WriteOut(ReportText(*report, seconds));
  if (!written.ok()) return Fail(written);
  return report->faults.empty() ? kExitDone : kExitFailed;
}

}  // namespace

void AddAuditCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto audit = std::make_shared<AuditFlags>();
  CLI::App* command = app.add_subcommand(
      "audit",
      "Re-derives a whole log from what a source holds: every leaf and tile, the root, every\n"
      "signature, who was allowed to say what, and the bytes of all content.");
  command->add_option("source", audit->source,
                      "A folder of static files, an http(s):// prefix of them, or a server's\n"
                      "host:port [--server]");
  command->add_option(
      "--state", audit->state,
      "File that remembers what was checked: the next audit goes on from there, and\n"
      "refuses a log that contradicts it. FILE.journal stands beside it");
  command->add_option("--threads", audit->threads, "0 is one for each processor")
      ->capture_default_str();
  command->footer(
      "Exit codes: 0 nothing is wrong, 1 void entries or faults (each is listed), 3 the source\n"
      "cannot be reached, 4 the source does not verify: do not trust it.\n"
      "Examples:\n"
      "  stele audit ./mirror --policy log.policy\n"
      "  stele audit https://log.example --policy log.policy --state log.audit");
  command->callback([audit, &flags, &exit_code] { exit_code = Audit(*audit, flags); });
}

}  // namespace stele::tools
