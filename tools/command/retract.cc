// stele retract: a record is taken back, for ever.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

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

struct RetractFlags {
  std::string record, reason, superseded_by, signer;
};

absl::Status Retract(const RetractFlags& retract, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(retract.signer));
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest record, ResolveContent(session.fetcher(), retract.record));
  Retraction retraction{retract.reason, std::nullopt};
  if (!retract.superseded_by.empty()) {
    STELE_ASSIGN_OR_RETURN(retraction.superseded_by,
                           ResolveContent(session.fetcher(), retract.superseded_by));
    if (retraction.superseded_by == record) {
      return UsageError("--superseded-by: a record does not supersede itself");
    }
  }
  const StatementType type = StatementType::kRetraction;
  STELE_ASSIGN_OR_RETURN(
      const client::Published published,
      PublishOne(session,
                 MakeStatement(type, session.verifier->origin(), {SubjectOf(record)}, retraction),
                 signer));
  return ReportSaid("retracted", type, record, published, flags.json);
}

}  // namespace

void AddRetractCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto retract = std::make_shared<RetractFlags>();
  CLI::App* command = app.add_subcommand(
      "retract",
      "Take a record back: by its owner or an operator the record, by another publisher of it\n"
      "their own publication. It stays readable and is shown as retracted. It is final:\n"
      "publishing it again does not undo it.");
  command->add_option("DIGEST", retract->record, "The record, or a unique prefix of its digest")
      ->required();
  command->add_option("--reason", retract->reason, "Why, up to 500 bytes; public for ever")
      ->required();
  command->add_option("--superseded-by", retract->superseded_by, "The record that replaces it");
  command->add_option("--signer", retract->signer, "Private key of the publisher or an operator")
      ->required();
  command->footer(
      "Example:\n"
      "  stele retract sha256:c61f8cd5 --reason \"wrong clock\" --superseded-by sha256:28c78ea8 "
      "\\\n"
      "      --signer publisher.pem");
  command->callback([retract, &flags, &exit_code] { exit_code = Fail(Retract(*retract, flags)); });
}

}  // namespace stele::tools
