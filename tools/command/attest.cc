// stele attest: what others say about a record, or an envelope made elsewhere.
#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/envelope_file.h"
#include "tools/command/exit_code.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/command/publish_one.h"
#include "tools/command/say.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct AttestFlags {
  std::string record, type, body, value, environment, signer;
  std::string metric = "latency", statistic = "median";
  std::vector<std::string> evidence;
  EnvelopeFlags envelope;
};

bool IsNote(const std::string& type) {
  return type == "environment_note" || type == "note" || type == "issue";
}

// "143.9us": a number and its unit.
absl::StatusOr<Observation> ReadObservation(const AttestFlags& attest) {
  Observation observed{attest.metric, attest.statistic, {}, 0};
  const char* const end = attest.value.data() + attest.value.size();
  const auto [rest, error] = std::from_chars(attest.value.data(), end, observed.value);
  observed.unit.assign(rest, end);
  if (error == std::errc() && !observed.unit.empty()) return observed;
  return UsageError(
      Concat("--value ", attest.value, ": expected a number and its unit, as 143.9us"));
}

// A URL, or URL@sha256:… with the digest of what is there.
absl::StatusOr<std::vector<Evidence>> ReadEvidence(const std::vector<std::string>& texts) {
  constexpr std::string_view kBefore = "@sha256:";
  std::vector<Evidence> evidence;
  for (const std::string& text : texts) {
    const size_t at = text.rfind(kBefore);
    Evidence one{text.substr(0, at), std::nullopt};
    if (at != std::string::npos) {
      one.digest = Digest::FromText(text.substr(at + 1));
      if (!one.digest) {
        return UsageError(Concat("--evidence ", text, ": after @ comes a digest, sha256: and 64 ",
                                 "lowercase hex digits"));
      }
    }
    evidence.push_back(std::move(one));
  }
  return evidence;
}

absl::StatusOr<Predicate> ReadNotePredicate(const AttestFlags& attest,
                                            std::vector<Evidence> evidence) {
  if (attest.body.empty()) return UsageError(Concat("--type ", attest.type, " needs --body"));
  if (!attest.value.empty() || !attest.environment.empty()) {
    return UsageError(
        "--value and --environment go with what was run: reproduced, "
        "could_not_reproduce, regression_observed");
  }
  return Predicate(NoteStatement{attest.type, attest.body, std::move(evidence)});
}

absl::StatusOr<Predicate> ReadPredicate(const AttestFlags& attest) {
  STELE_ASSIGN_OR_RETURN(std::vector<Evidence> evidence, ReadEvidence(attest.evidence));
  if (IsNote(attest.type)) return ReadNotePredicate(attest, std::move(evidence));
  Reproduction reproduction;
  reproduction.outcome = attest.type;
  reproduction.evidence = std::move(evidence);
  if (!attest.body.empty()) reproduction.body = attest.body;
  if (!attest.value.empty()) {
    STELE_ASSIGN_OR_RETURN(reproduction.observed, ReadObservation(attest));
  }
  if (!attest.environment.empty()) {
    reproduction.environment = Digest::FromText(attest.environment);
    if (!reproduction.environment) {
      return UsageError(Concat("--environment ", attest.environment, ": expected a whole digest, ",
                               "sha256: and 64 lowercase hex digits"));
    }
  }
  return Predicate(std::move(reproduction));
}

absl::Status Attest(const AttestFlags& attest, const CommonFlags& flags) {
  if (!attest.envelope.file.empty()) {
    if (!attest.record.empty() || !attest.type.empty() || !attest.signer.empty()) {
      return UsageError("--envelope is signed already: no DIGEST, --type or --signer goes with it");
    }
    return AttestEnvelope(attest.envelope, flags);
  }
  if (attest.record.empty()) return UsageError("which record? DIGEST, or --envelope FILE");
  if (attest.type.empty() || attest.signer.empty()) {
    return UsageError("--type and --signer are needed: what is said, and by whom");
  }
  if (!attest.envelope.key_id.empty() || !attest.envelope.manifests.empty()) {
    return UsageError("--keyid and --manifest go with --envelope");
  }
  STELE_ASSIGN_OR_RETURN(Predicate predicate, ReadPredicate(attest));
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(attest.signer));
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest record, ResolveContent(session.fetcher(), attest.record));
  const StatementType type =
      IsNote(attest.type) ? StatementType::kNote : StatementType::kReproduction;
  STELE_ASSIGN_OR_RETURN(const client::Published published,
                         PublishOne(session,
                                    MakeStatement(type, session.verifier->origin(),
                                                  {SubjectOf(record)}, std::move(predicate)),
                                    signer));
  return ReportSaid(Concat("attested ", attest.type, " of"), type, record, published, flags.json);
}

}  // namespace

void AddAttestCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto attest = std::make_shared<AttestFlags>();
  CLI::App* command = app.add_subcommand(
      "attest",
      "Say something about a record, as an attester or a guest; or publish any DSSE envelope\n"
      "with an in-toto statement that was signed elsewhere. Public for ever.");
  command->add_option("DIGEST", attest->record, "The record, or a unique prefix of its digest");
  command->add_option("--type", attest->type, "What is said")
      ->check(CLI::IsMember({"reproduced", "could_not_reproduce", "regression_observed",
                             "environment_note", "note", "issue"}));
  command->add_option("--body", attest->body, "In words, at most 2,000 characters");
  command->add_option("--value", attest->value, "What was measured, with its unit: 143.9us");
  command->add_option("--metric", attest->metric, "Of --value")->capture_default_str();
  command->add_option("--statistic", attest->statistic, "Of --value")->capture_default_str();
  command->add_option("--environment", attest->environment, "Digest of the environment it ran in");
  command->add_option("--evidence", attest->evidence,
                      "Where more is to be found: a URL, or URL@sha256:… with its digest");
  command->add_option("--signer", attest->signer, "Private key that says it");
  command->add_option("--envelope", attest->envelope.file,
                      "A DSSE envelope made elsewhere; of several signatures each is published");
  command->add_option("--keyid", attest->envelope.key_id,
                      "Of --envelope: the key that signed [the envelope's own keyid]");
  command->add_option("--manifest", attest->envelope.manifests,
                      "Of --envelope: a manifest that a publication in it names");
  command->footer(
      "Examples:\n"
      "  stele attest sha256:c61f8cd5 --type reproduced --value 143.9us --signer me.pem\n"
      "  stele attest sha256:c61f8cd5 --type issue --body \"clocks were not locked\" --signer "
      "me.pem\n"
      "  stele attest --envelope provenance.dsse.json --keyid sha256:9f86d081…");
  command->callback([attest, &flags, &exit_code] { exit_code = Fail(Attest(*attest, flags)); });
}

}  // namespace stele::tools
