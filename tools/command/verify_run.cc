// stele verify-run: a runner's word that it ran a record again.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/exit_code.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/command/publish_one.h"
#include "tools/command/say.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct VerifyRunFlags {
  std::string record, rerun, outcome, signer;
};

absl::Status VerifyRun(const VerifyRunFlags& run, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(run.signer));
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest record, ResolveContent(session.fetcher(), run.record));
  STELE_ASSIGN_OR_RETURN(const Digest rerun, ResolveContent(session.fetcher(), run.rerun));
  if (record == rerun) {
    return UsageError("--rerun is the run itself: it names the record of running it again");
  }
  const StatementType type = StatementType::kVerification;
  STELE_ASSIGN_OR_RETURN(
      const client::Published published,
      PublishOne(session,
                 MakeStatement(type, session.verifier->origin(), {SubjectOf(record)},
                               Verification{run.outcome == "passed", rerun}),
                 signer));
  return ReportSaid(Concat("verification ", run.outcome, " of"), type, record, published,
                    flags.json);
}

}  // namespace

void AddVerifyRunCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto run = std::make_shared<VerifyRunFlags>();
  CLI::App* command = app.add_subcommand(
      "verify-run",
      "Say, as a runner, that a run was run again, and how that went. The second run is a record\n"
      "of its own, pushed before.");
  command->add_option("DIGEST", run->record, "The run, or a unique prefix of its digest")
      ->required();
  command->add_option("--rerun", run->rerun, "The record of the second run")->required();
  command->add_option("--outcome", run->outcome, "Does it bear the first one out?")
      ->required()
      ->check(CLI::IsMember({"passed", "failed"}));
  command->add_option("--signer", run->signer, "Private key of a runner")->required();
  command->footer(
      "It counts towards the evidence level if the runner published neither the run nor its\n"
      "implementation, and the second run is of the same implementation, workload and protocol.\n"
      "Example:\n"
      "  stele verify-run sha256:c61f8cd5 --rerun sha256:28c78ea8 --outcome passed --signer "
      "lab.pem");
  command->callback([run, &flags, &exit_code] { exit_code = Fail(VerifyRun(*run, flags)); });
}

}  // namespace stele::tools
