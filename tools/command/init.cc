// stele init: a new store with its genesis entry.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "core/tlog/checkpoint.h"
#include "store/store.h"
#include "tools/command/common.h"
#include "tools/command/exit_code.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

struct InitFlags {
  std::string dir;
  std::string origin;
  std::string operator_key;
  std::vector<std::string> recovery_keys;
  std::string guard;
};

// The operator's key: read, or made and written where it is to be found. A key for the new folder
// itself waits beside it, because the store is made in an empty folder: it is on disk before
// genesis names it, so that a crash never leaves a log whose operator is lost.
struct OperatorKey {
  PrivateKey key;
  std::filesystem::path path;     // where it will be
  std::filesystem::path waiting;  // where it is until then; empty if it is in its place
  bool made = false;
};

absl::StatusOr<OperatorKey> MakeOperatorKey(const InitFlags& flags) {
  std::filesystem::path path = flags.operator_key;
  if (!path.empty() && std::filesystem::exists(path)) {
    STELE_ASSIGN_OR_RETURN(PrivateKey key, ReadPrivateKey(path));
    return OperatorKey{std::move(key), path, "", false};
  }
  STELE_ASSIGN_OR_RETURN(PrivateKey key, PrivateKey::Generate(KeyAlgorithm::kEd25519));
  std::filesystem::path waiting;
  if (path.empty()) {
    path = std::filesystem::path(flags.dir) / "operator.pem";
    waiting = flags.dir + ".operator.pem";
  }
  STELE_RETURN_IF_ERROR(WriteKeyPair(waiting.empty() ? path : waiting, key));
  return OperatorKey{std::move(key), path, waiting, true};
}

absl::Status SettleOperatorKey(const OperatorKey& key) {
  if (key.waiting.empty()) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(MoveToNewName(key.waiting, key.path));
  return MoveToNewName(PublicKeyPath(key.waiting), PublicKeyPath(key.path));
}

void RemoveMadeKey(const OperatorKey& key) {
  if (!key.made) return;
  const std::filesystem::path where = key.waiting.empty() ? key.path : key.waiting;
  ::unlink(where.c_str());
  ::unlink(PublicKeyPath(where).c_str());
}

absl::Status CheckPlace(const std::string& dir) {
  std::error_code error;
  if (!std::filesystem::exists(dir, error)) return absl::OkStatus();
  if (std::filesystem::is_directory(dir, error) && std::filesystem::is_empty(dir, error)) {
    return absl::OkStatus();
  }
  return absl::AlreadyExistsError(
      Concat(dir, " exists and is not an empty folder; a store is never made over anything"));
}

absl::StatusOr<std::vector<PublicKey>> ReadRecoveryKeys(const InitFlags& flags) {
  std::vector<PublicKey> keys;
  for (const std::string& path : flags.recovery_keys) {
    STELE_ASSIGN_OR_RETURN(PublicKey key, ReadPublicKey(path));
    keys.push_back(std::move(key));
  }
  return keys;
}

absl::Status Report(const InitFlags& flags, const OperatorKey& key, bool as_json) {
  const std::string id = key.key.public_key().id().ToText();
  const std::string policy = (std::filesystem::path(flags.dir) / "policy").string();
  if (as_json) {
    return WriteJson(JsonObject({{"origin", JsonText(flags.origin)},
                                 {"data", JsonText(flags.dir)},
                                 {"operatorKeyId", JsonText(id)},
                                 {"operatorKey", JsonText(key.path.string())},
                                 {"policy", JsonText(policy)}}));
  }
  return WriteOut(Concat("log      ", flags.origin, "\noperator ", id, "  ", key.path.string(),
                         "\npolicy   ", policy, "\nserve it with: steled --data ", flags.dir,
                         flags.guard.empty() ? "" : Concat(" --guard ", flags.guard), "\n"));
}

absl::Status Init(InitFlags flags, bool as_json) {
  while (flags.dir.size() > 1 && flags.dir.ends_with('/')) flags.dir.pop_back();
  if (!ValidOrigin(flags.origin)) {
    return UsageError(
        "--origin: 1 to 200 visible ASCII characters without space and +, "
        "usually the host that will serve the log");
  }
  STELE_RETURN_IF_ERROR(CheckPlace(flags.dir));
  STELE_ASSIGN_OR_RETURN(std::vector<PublicKey> recovery_keys, ReadRecoveryKeys(flags));
  STELE_ASSIGN_OR_RETURN(PrivateKey log_key, PrivateKey::Generate(KeyAlgorithm::kEd25519));
  STELE_ASSIGN_OR_RETURN(OperatorKey operator_key, MakeOperatorKey(flags));
  const store::CreateOptions options{.dir = flags.dir,
                                     .guard = flags.guard,
                                     .origin = flags.origin,
                                     .log_key = std::move(log_key),
                                     .operator_key = operator_key.key,
                                     .recovery_keys = std::move(recovery_keys),
                                     .clock = {}};
  if (absl::Status made = store::CreateStore(options); !made.ok()) {
    RemoveMadeKey(operator_key);
    return made;
  }
  STELE_RETURN_IF_ERROR(SettleOperatorKey(operator_key));
  return Report(flags, operator_key, as_json);
}

}  // namespace

void AddInitCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto init = std::make_shared<InitFlags>();
  CLI::App* command = app.add_subcommand(
      "init",
      "Make a new store in DIR: the log's key, the operator's key, the genesis entry,\n"
      "the guard, and DIR/policy to hand out to those who read the log.");
  command->add_option("DIR", init->dir, "A folder that does not exist, or is empty")->required();
  command->add_option("--origin", init->origin, "The log's name for ever, e.g. log.example.org")
      ->required();
  command->add_option("--operator-key", init->operator_key,
                      "Private key of the operator, made if it does not exist\n"
                      "[DIR/operator.pem]; keep it away from the server");
  command->add_option("--recovery-key", init->recovery_keys,
                      "Public key (.pub) that may replace operators; up to 4");
  command->add_option("--guard", init->guard,
                      "File that detects a rolled-back store, best on another disk [DIR.guard]");
  command->footer(
      "Example:\n"
      "  stele keygen recovery.pem\n"
      "  stele init ./data --origin log.example.org --recovery-key recovery.pem.pub");
  command->callback([init, &flags, &exit_code] { exit_code = Fail(Init(*init, flags.json)); });
}

}  // namespace stele::tools
