// What only an operator says: stele policy, withhold, restore-content, log-key.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

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

constexpr char kSignerHelp[] = "Private key of an operator";

struct OperatorFlags {
  std::string digest, reason, signer;
};

absl::Status SetPolicy(bool open, const OperatorFlags& given, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(given.signer));
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  const std::string& origin = session.verifier->origin();
  const Subject subject = OriginSubject(origin);
  const auto latest = [&]() -> absl::StatusOr<EventIndex> {
    STELE_ASSIGN_OR_RETURN(const client::LatestEvents events,
                           session.fetcher().GetLatestEvents(subject.digest));
    return events.policy;
  };
  const auto make = [&](EventIndex after) {
    return MakeStatement(StatementType::kPolicy, origin, {subject}, Policy{after, open});
  };
  STELE_ASSIGN_OR_RETURN(const client::Published published,
                         PublishAfter(session, signer, latest, make));
  if (flags.json) {
    return WriteJson(JsonObject({{"type", JsonText("policy")},
                                 {"openAttestations", json::Value(open)},
                                 {"index", JsonNumber(published.index.value())},
                                 {"replayed", json::Value(published.replayed)}}));
  }
  return WriteLine(Concat("the policy is ", open ? "open: guests may attest" : "closed to guests",
                          ", at entry ", published.index.value()));
}

absl::Status Withhold(bool withheld, const OperatorFlags& given, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(given.signer));
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest digest, ResolveContent(session.fetcher(), given.digest));
  const auto latest = [&]() -> absl::StatusOr<EventIndex> {
    STELE_ASSIGN_OR_RETURN(const client::LatestEvents events,
                           session.fetcher().GetLatestEvents(digest));
    return events.withholding;
  };
  const StatementType type = StatementType::kWithholding;
  const auto make = [&](EventIndex after) {
    return MakeStatement(type, session.verifier->origin(), {AnySubject(digest)},
                         Withholding{after, withheld, given.reason});
  };
  STELE_ASSIGN_OR_RETURN(const client::Published published,
                         PublishAfter(session, signer, latest, make));
  return ReportSaid(withheld ? "withheld" : "restored", type, digest, published, flags.json);
}

struct LogKeyFlags {
  std::string vkey, signer;
  uint64_t from = 0;
  std::vector<std::string> retire;
  std::vector<uint64_t> until;
};

absl::Status AddLogKey(const LogKeyFlags& given, const CommonFlags& flags) {
  if (given.retire.size() != given.until.size()) {
    return UsageError("each --retire has its --until, and each --until its --retire");
  }
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(given.signer));
  const absl::StatusOr<NoteVerifier> vkey = NoteVerifier::FromVkey(given.vkey);
  if (!vkey.ok()) return UsageError(Concat("VKEY: ", std::string(vkey.status().message())));
  LogKey predicate{*vkey, TreeSize(given.from), {}};
  for (size_t i = 0; i < given.retire.size(); ++i) {
    predicate.retires.push_back({given.retire[i], TreeSize(given.until[i])});
  }
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  const std::string& origin = session.verifier->origin();
  STELE_ASSIGN_OR_RETURN(const client::Published published,
                         PublishOne(session,
                                    MakeStatement(StatementType::kLogKey, origin,
                                                  {OriginSubject(origin)}, std::move(predicate)),
                                    signer));
  if (flags.json) {
    return WriteJson(JsonObject({{"type", JsonText("log-key")},
                                 {"vkey", JsonText(given.vkey)},
                                 {"from", JsonNumber(given.from)},
                                 {"index", JsonNumber(published.index.value())},
                                 {"replayed", json::Value(published.replayed)}}));
  }
  return WriteLine(Concat("log key ", given.vkey, " signs from size ", given.from, " on, at entry ",
                          published.index.value()));
}

void AddPolicyVerb(CLI::App& policy, bool open, const CommonFlags& flags, int& exit_code) {
  auto given = std::make_shared<OperatorFlags>();
  CLI::App* command = policy.add_subcommand(
      open ? "open" : "close", open ? "Guests may introduce their keys and attest."
                                    : "Guests may not speak; what they said before stays.");
  command->add_option("--signer", given->signer, kSignerHelp)->required();
  command->callback(
      [open, given, &flags, &exit_code] { exit_code = Fail(SetPolicy(open, *given, flags)); });
}

void AddWithholdCommand(CLI::App& app, bool withheld, const CommonFlags& flags, int& exit_code) {
  auto given = std::make_shared<OperatorFlags>();
  CLI::App* command = app.add_subcommand(
      withheld ? "withhold" : "restore-content",
      withheld ? "Withhold content for a legal duty: from this entry on every copy of the log\n"
                 "treats it as absent. The log still names it, with the reason."
               : "Content that was withheld is served again, by whoever still has it.");
  command
      ->add_option("DIGEST", given->digest,
                   "A record, manifest, artifact or detached envelope, or a unique prefix")
      ->required();
  command->add_option("--reason", given->reason, "Why, up to 500 bytes; public for ever")
      ->required();
  command->add_option("--signer", given->signer, kSignerHelp)->required();
  command->footer(withheld ? "Example:\n"
                             "  stele withhold sha256:c61f8cd5 --reason \"court order 12/26\" "
                             "--signer operator.pem"
                           : "A digest whose bytes are gone everywhere is named whole.\n"
                             "Example:\n"
                             "  stele restore-content sha256:c61f8cd5… --reason \"order lifted\" "
                             "--signer operator.pem");
  command->callback([withheld, given, &flags, &exit_code] {
    exit_code = Fail(Withhold(withheld, *given, flags));
  });
}

}  // namespace

void AddPolicyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  CLI::App* policy = app.add_subcommand("policy", "Whether guests may attest.");
  policy->require_subcommand(1);
  AddPolicyVerb(*policy, true, flags, exit_code);
  AddPolicyVerb(*policy, false, flags, exit_code);
}

void AddWithholdCommands(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  AddWithholdCommand(app, true, flags, exit_code);
  AddWithholdCommand(app, false, flags, exit_code);
}

void AddLogKeyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto given = std::make_shared<LogKeyFlags>();
  CLI::App* log_key = app.add_subcommand("log-key", "The keys that sign the log's checkpoints.");
  log_key->require_subcommand(1);
  CLI::App* command = log_key->add_subcommand(
      "add", "Bring in a new log key, and retire others. The server has to have the new key file.");
  command->add_option("VKEY", given->vkey, "The new key, in C2SP vkey form")->required();
  command->add_option("--from", given->from, "It signs from this tree size on")->required();
  command->add_option("--retire", given->retire, "A vkey that stops signing");
  command->add_option("--until", given->until, "The last tree size that the --retire before signs");
  command->add_option("--signer", given->signer, kSignerHelp)->required();
  command->footer(
      "Between --from and --until both keys sign. Hand out policies with the new key before.\n"
      "Example:\n"
      "  stele log-key add log.example+8a0bde2f+AUkB… --from 20000 \\\n"
      "      --retire log.example+350f8ce7+AQpc… --until 30000 --signer operator.pem");
  command->callback([given, &flags, &exit_code] { exit_code = Fail(AddLogKey(*given, flags)); });
}

}  // namespace stele::tools
