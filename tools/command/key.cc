// stele key: the key ring, all of it log entries.
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/statement/statement.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/exit_code.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/command/publish_one.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct KeyFlags {
  std::string key;  // FILE.pub of a grant, KEYID of a revocation
  std::string name, role, reason, signer;
  std::optional<uint64_t> compromised_since;
};

// Makes the statement for the latest event about its key, and once more if that has moved on.
absl::StatusOr<client::Published> PublishKeyEvent(
    const Session& session, const KeyId& key, const PrivateKey& signer,
    const std::function<Statement(EventIndex after)>& make) {
  absl::StatusOr<client::Published> published = absl::AbortedError("");
  for (int attempt = 0; attempt < 2 && absl::IsAborted(published.status()); ++attempt) {
    STELE_ASSIGN_OR_RETURN(std::vector<client::KeyInfo> keys, session.fetcher().ListKeys());
    EventIndex after = kNoEvent;
    for (const client::KeyInfo& info : keys) {
      if (info.key == key) after = info.latest_event;
    }
    published = PublishOne(session, make(after), signer);
  }
  return published;
}

Statement KeyStatement(StatementType type, const std::string& origin, const KeyId& key,
                       Predicate predicate) {
  Statement statement;
  statement.type = type;
  statement.predicate_type = std::string(PredicateTypeOf(type));
  statement.log = origin;
  statement.subjects = {KeySubject(key)};
  statement.predicate = std::move(predicate);
  return statement;
}

absl::Status Report(std::string_view did, const KeyId& key, const client::Published& published,
                    bool as_json) {
  if (as_json) {
    return WriteJson(JsonObject({{"key", JsonText(key.ToText())},
                                 {"index", JsonNumber(published.index.value())},
                                 {"replayed", json::Value(published.replayed)}}));
  }
  return WriteLine(Concat(did, " ", key.ToText(), " at entry ", published.index.value()));
}

absl::Status Grant(const KeyFlags& grant, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(PublicKey key, ReadPublicKey(grant.key));
  STELE_ASSIGN_OR_RETURN(PrivateKey signer, ReadPrivateKey(grant.signer));
  const std::optional<Role> role = ParseGrantableRole(grant.role);
  if (!role) return UsageError("--role: operator, runner, publisher or attester");
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  const auto make = [&](EventIndex after) {
    return KeyStatement(StatementType::kKeyGrant, session.verifier->origin(), key.id(),
                        KeyGrant{after, key, grant.name, *role});
  };
  STELE_ASSIGN_OR_RETURN(client::Published published,
                         PublishKeyEvent(session, key.id(), signer, make));
  return Report(Concat("granted ", grant.role, " to"), key.id(), published, flags.json);
}

absl::Status Revoke(const KeyFlags& revoke, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(std::string hex, HexOfDigestArgument(revoke.key));
  STELE_ASSIGN_OR_RETURN(PrivateKey signer, ReadPrivateKey(revoke.signer));
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  std::optional<KeyId> key = Digest::FromHex(hex);
  if (!key) {
    STELE_ASSIGN_OR_RETURN(client::KeyInfo info, ResolveKey(session.fetcher(), hex));
    key = info.key;
  }
  KeyRevoke predicate{kNoEvent, revoke.reason, std::nullopt};
  if (revoke.compromised_since) {
    predicate.compromised_since = EntryIndex(*revoke.compromised_since);
  }
  const auto make = [&](EventIndex after) {
    predicate.after = after;
    return KeyStatement(StatementType::kKeyRevoke, session.verifier->origin(), *key, predicate);
  };
  STELE_ASSIGN_OR_RETURN(client::Published published, PublishKeyEvent(session, *key, signer, make));
  return Report("revoked", *key, published, flags.json);
}

absl::Status PrintKey(const client::KeyInfo& key, bool as_json) {
  const std::string_view role = key.role ? RoleName(*key.role) : "none";
  if (!as_json) {
    return WriteLine(Concat(key.key.ToText(), "  ", role, "  ", key.name.empty() ? "-" : key.name));
  }
  const json::Value event(static_cast<double>(key.latest_event.value()));
  return WriteJson(JsonObject({{"key", JsonText(key.key.ToText())},
                               {"role", JsonText(role)},
                               {"name", JsonText(key.name)},
                               {"latestEvent", event}}));
}

absl::Status List(const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(std::vector<client::KeyInfo> keys, session.fetcher().ListKeys());
  for (const client::KeyInfo& key : keys) STELE_RETURN_IF_ERROR(PrintKey(key, flags.json));
  return absl::OkStatus();
}

void AddGrant(CLI::App& key, const CommonFlags& flags, int& exit_code) {
  auto grant = std::make_shared<KeyFlags>();
  CLI::App* command = key.add_subcommand("grant", "Give a key a role; the operator signs.");
  command->add_option("FILE.pub", grant->key, "Public key, SPKI PEM")->required();
  command->add_option("--name", grant->name, "Whose key it is, up to 100 bytes")->required();
  command->add_option("--role", grant->role, "What it may do, weaker roles included")
      ->required()
      ->check(CLI::IsMember({"operator", "runner", "publisher", "attester"}));
  command->add_option("--signer", grant->signer, "Private key of the operator")->required();
  command->footer(
      "Example:\n"
      "  stele key grant alice.pem.pub --name Alice --role publisher --signer operator.pem");
  command->callback([grant, &flags, &exit_code] { exit_code = Fail(Grant(*grant, flags)); });
}

void AddRevoke(CLI::App& key, const CommonFlags& flags, int& exit_code) {
  auto revoke = std::make_shared<KeyFlags>();
  CLI::App* command = key.add_subcommand("revoke", "Take a key's role away; the operator signs.");
  command->add_option("KEYID", revoke->key, "Key id, or a unique prefix of it")->required();
  command->add_option("--reason", revoke->reason, "Why, up to 500 bytes; public for ever")
      ->required();
  command->add_option("--compromised-since", revoke->compromised_since,
                      "Dispute what the key said from this log index on");
  command->add_option("--signer", revoke->signer, "Private key of the operator")->required();
  command->footer(
      "Example:\n"
      "  stele key revoke sha256:9f86d081 --reason \"laptop lost\" --signer operator.pem");
  command->callback([revoke, &flags, &exit_code] { exit_code = Fail(Revoke(*revoke, flags)); });
}

}  // namespace

void AddKeyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  CLI::App* key = app.add_subcommand("key", "The key ring: who may say what in the log.");
  key->require_subcommand(1);
  AddGrant(*key, flags, exit_code);
  AddRevoke(*key, flags, exit_code);
  CLI::App* list = key->add_subcommand(
      "list", "Every key, one line each: key id, role, name. The server's reading of its log.");
  list->callback([&flags, &exit_code] { exit_code = Fail(List(flags)); });
}

}  // namespace stele::tools
