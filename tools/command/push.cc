// stele push: manifests from files into the log.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/limits.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/command/progress.h"
#include "tools/command/pushed_standings.h"
#include "tools/command/receipts_file.h"
#include "tools/command/rejects_file.h"
#include "tools/command/session.h"
#include "tools/command/warnings.h"
#include "tools/input/open.h"
#include "tools/push/pusher.h"

namespace stele::tools {
namespace {

struct PushFlags {
  std::vector<std::string> files;
  std::string signer, rejects, receipts;
  size_t batch = 64;
  std::string format = "auto";
};

absl::Status CheckFlags(const PushFlags& push) {
  if (push.rejects.empty()) return absl::OkStatus();
  for (const std::string& file : push.files) {
    std::error_code error;
    if (file != "-" && std::filesystem::equivalent(file, push.rejects, error)) {
      return UsageError(Concat("--rejects: ", push.rejects, " is one of the files to push"));
    }
  }
  return absl::OkStatus();
}

// One run: what it was given, what it counts, where it complains.
class Push {
 public:
  Push(const PushFlags& push, const CommonFlags& flags)
      : push_(push),
        flags_(flags),
        progress_(flags.quiet),
        ledger_([this](const Document& document) {
          if (rejects_ != nullptr) rejects_->Add(document);
        }) {}

  int Run() {
    const absl::Status status = Start();
    if (!started_) return Fail(status);
    progress_.Clear();
    if (!status.ok()) Complain(Describe(status));
    absl::Status kept = rejects_ == nullptr ? absl::OkStatus() : rejects_->Close();
    if (kept.ok() && receipts_ != nullptr) kept = receipts_->Close();
    if (!kept.ok()) Complain(Describe(kept));
    const absl::Status said = Summary(status);
    for (const absl::Status& end : {status, kept, said}) {
      if (!end.ok()) return ExitCodeOf(end);
    }
    return failed_ || ledger_.tally().refused > 0 ? kExitFailed : kExitDone;
  }

 private:
  absl::Status Start() {
    STELE_RETURN_IF_ERROR(CheckFlags(push_));
    STELE_ASSIGN_OR_RETURN(PrivateKey signer, ReadPrivateKey(push_.signer));
    STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags_, true));
    if (!push_.rejects.empty()) {
      STELE_ASSIGN_OR_RETURN(rejects_, RejectsFile::Open(push_.rejects));
    }
    if (!push_.receipts.empty()) {
      STELE_ASSIGN_OR_RETURN(receipts_, ReceiptsFile::Open(push_.receipts));
    }
    started_ = true;
    if (!session.info.accepts_statements) {
      Notice(Concat("the server takes no statements now: ", session.info.write_state));
    }
    return PushFiles(session, signer);
  }

  absl::Status PushFiles(const Session& session, const PrivateKey& signer) {
    PushOptions options;
    options.batch.subjects = push_.batch;
    options.on_refused = [this](const std::string& message) { Say(message); };
    options.on_notice = [this](const std::string& message) { Notice(message); };
    options.on_progress = [this] {
      if (progress_.due()) progress_.Draw(TallyText(ledger_.tally()));
    };
    if (receipts_ != nullptr) {
      options.on_published = [this](const client::Published& published) {
        receipts_->Add(published);
      };
    }
    Pusher pusher(*session.connection, *session.verifier, signer, ledger_, options);
    for (const std::string& file : push_.files) {
      STELE_RETURN_IF_ERROR(PushFile(pusher, file));
    }
    STELE_RETURN_IF_ERROR(pusher.Finish());
    TellStandings(session, ledger_.records(), [this](const std::string& line) { Say(line); });
    return absl::OkStatus();
  }

  // A file that cannot be read is one failed item; the others go on.
  absl::Status PushFile(Pusher& pusher, const std::string& file) {
    absl::StatusOr<OpenedInput> input = OpenInput(file, *ParseFormatChoice(push_.format));
    if (!input.ok()) return CannotRead(file, input.status());
    for (;;) {
      absl::StatusOr<std::optional<Document>> document = input->reader->Next();
      if (!document.ok()) return CannotRead(file, document.status());
      if (!document->has_value()) return absl::OkStatus();
      for (const std::string& warning : warnings_.Of(**document)) Say(warning);
      STELE_RETURN_IF_ERROR(pusher.Take(**std::move(document)));
    }
  }

  absl::Status CannotRead(const std::string& file, const absl::Status& why) {
    Say(Concat(file, ": ", Describe(why)));
    failed_ = true;
    return absl::OkStatus();
  }

  void Say(const std::string& message) {
    progress_.Clear();
    Complain(message);
  }
  void Notice(const std::string& message) {
    if (!flags_.quiet) Complain(message);
  }

  absl::Status Summary(const absl::Status& status) {
    const Tally& tally = ledger_.tally();
    if (warnings_.untold() > 0) {
      Complain(Concat("warning: and ", warnings_.untold(), " more of this kind"));
    }
    if (ExitCodeOf(status) == kExitUnreachable) {
      Notice("not everything was decided; run the same command again, nothing is pushed twice");
    } else if (status.ok() && tally.pushed == 0 && tally.refused == 0 && tally.already_there > 0) {
      Notice("nothing new: everything is in the log already");
    }
    return WriteLine(flags_.json ? TallyJson(tally) : TallyText(tally));
  }

  const PushFlags& push_;
  const CommonFlags& flags_;
  Progress progress_;
  std::unique_ptr<RejectsFile> rejects_;
  std::unique_ptr<ReceiptsFile> receipts_;
  Ledger ledger_;
  Warnings warnings_;
  bool started_ = false;
  bool failed_ = false;
};

}  // namespace

void AddPushCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto push = std::make_shared<PushFlags>();
  CLI::App* command = app.add_subcommand(
      "push",
      "Publish manifests: JSON, NDJSON, YAML, bundles, also compressed with zstd. Every\n"
      "item is checked before anything about it is signed; what is in the log already is\n"
      "left out; every receipt is verified. Ends with one line:\n"
      "  rows R, records N, pushed P, already there A, refused F");
  command->add_option("FILE", push->files, "Files to push; - is standard input")->required();
  command->add_option("--signer", push->signer, "Private key of the publisher")->required();
  command->add_option("--batch", push->batch, "Records that one statement names, at most")
      ->check(CLI::Range(size_t{1}, limits::kSubjects))
      ->capture_default_str();
  command->add_option("--rejects", push->rejects, "Write refused items here, as they came");
  command->add_option("--receipts", push->receipts,
                      "Append every receipt here, a line of JSON each: entry, proof, checkpoint");
  command->add_option("--format", push->format, "How to read the input")
      ->check(CLI::IsMember({"auto", "manifest", "kernelindex-catalog"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  stele push run.json --signer alice.pem\n"
      "  zcat runs.ndjson.gz | stele push - --signer alice.pem --rejects refused.ndjson\n"
      "  stele push catalog.jsonl.zst --format kernelindex-catalog --signer alice.pem\n"
      "Of KernelIndex manifests it says where the registry's own normalisation would have\n"
      "given another digest: durations as text, set-like lists that are not sorted.");
  command->callback([push, &flags, &exit_code] { exit_code = Push(*push, flags).Run(); });
}

}  // namespace stele::tools
