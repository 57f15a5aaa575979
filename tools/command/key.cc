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
#include "tools/command/say.h"
#include "tools/command/session.h"

namespace stele::tools {
namespace {

struct KeyFlags {
  std::string key;  // FILE.pub of a grant, KEYID of a revocation
  std::string name, role, reason, signer;
  std::optional<uint64_t> compromised_since;
};

// Nothing about the key is kNoEvent.
absl::StatusOr<EventIndex> LatestEventOf(const Session& session, const KeyId& key) {
  STELE_ASSIGN_OR_RETURN(std::vector<client::KeyInfo> keys, session.fetcher().ListKeys());
  for (const client::KeyInfo& info : keys) {
    if (info.key == key) return info.latest_event;
  }
  return kNoEvent;
}

absl::StatusOr<client::Published> PublishKeyEvent(
    const Session& session, const KeyId& key, const PrivateKey& signer,
    const std::function<Statement(EventIndex after)>& make) {
  return PublishAfter(
      session, signer, [&] { return LatestEventOf(session, key); }, make);
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
    return MakeStatement(StatementType::kKeyGrant, session.verifier->origin(),
                         {KeySubject(key.id())}, KeyGrant{after, key, grant.name, *role});
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
    return MakeStatement(StatementType::kKeyRevoke, session.verifier->origin(), {KeySubject(*key)},
                         predicate);
  };
  STELE_ASSIGN_OR_RETURN(client::Published published, PublishKeyEvent(session, *key, signer, make));
  return Report("revoked", *key, published, flags.json);
}

absl::Status Introduce(const KeyFlags& introduce, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const PrivateKey signer, ReadPrivateKey(introduce.signer));
  const PublicKey key = signer.public_key();
  STELE_ASSIGN_OR_RETURN(Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(
      const client::Published published,
      PublishOne(session,
                 MakeStatement(StatementType::kKeyIntroduction, session.verifier->origin(),
                               {KeySubject(key.id())}, KeyIntroduction{key}),
                 signer));
  return Report("introduced", key.id(), published, flags.json);
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

void AddIntroduce(CLI::App& key, const CommonFlags& flags, int& exit_code) {
  auto introduce = std::make_shared<KeyFlags>();
  CLI::App* command = key.add_subcommand(
      "introduce", "Make your own key known as a guest's, while the log's policy is open.");
  command->add_option("--signer", introduce->signer, "The guest's private key")->required();
  command->footer(
      "Example:\n"
      "  stele keygen me.pem && stele key introduce --signer me.pem");
  command->callback(
      [introduce, &flags, &exit_code] { exit_code = Fail(Introduce(*introduce, flags)); });
}

}  // namespace

void AddKeyCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  CLI::App* key = app.add_subcommand("key", "The key ring: who may say what in the log.");
  key->require_subcommand(1);
  AddGrant(*key, flags, exit_code);
  AddRevoke(*key, flags, exit_code);
  AddIntroduce(*key, flags, exit_code);
  CLI::App* list = key->add_subcommand(
      "list", "Every key, one line each: key id, role, name. The server's reading of its log.");
  list->callback([&flags, &exit_code] { exit_code = Fail(List(flags)); });
}

}  // namespace stele::tools
