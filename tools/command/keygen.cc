// stele keygen: a new signing key.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "tools/command/common.h"
#include "tools/command/key_file.h"
#include "tools/command/output.h"

namespace stele::tools {
namespace {

struct KeygenFlags {
  std::string file;
  std::string algorithm = "ed25519";
};

absl::Status Keygen(const KeygenFlags& flags, bool as_json) {
  const KeyAlgorithm algorithm =
      flags.algorithm == "ed25519" ? KeyAlgorithm::kEd25519 : KeyAlgorithm::kEcdsaP256;
  STELE_ASSIGN_OR_RETURN(PrivateKey key, PrivateKey::Generate(algorithm));
  STELE_RETURN_IF_ERROR(WriteKeyPair(flags.file, key));
  const std::string id = key.public_key().id().ToText();
  if (!as_json) return WriteLine(id);
  return WriteJson(JsonObject({{"keyId", JsonText(id)},
                               {"algorithm", JsonText(flags.algorithm)},
                               {"privateKey", JsonText(flags.file)},
                               {"publicKey", JsonText(PublicKeyPath(flags.file).string())}}));
}

}  // namespace

void AddKeygenCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto keygen = std::make_shared<KeygenFlags>();
  CLI::App* command = app.add_subcommand(
      "keygen",
      "Make a signing key: FILE (PKCS#8 PEM, mode 0600, not encrypted) and FILE.pub.\n"
      "Prints the key id. Existing files are never overwritten. Needs no server.");
  command->add_option("FILE", keygen->file, "Where the private key goes")->required();
  command->add_option("--algorithm", keygen->algorithm, "Kind of key")
      ->check(CLI::IsMember({"ed25519", "ecdsa-p256"}))
      ->capture_default_str();
  command->footer("Example:\n  stele keygen alice.pem && stele key grant alice.pem.pub …");
  command->callback(
      [keygen, &flags, &exit_code] { exit_code = Fail(Keygen(*keygen, flags.json)); });
}

}  // namespace stele::tools
