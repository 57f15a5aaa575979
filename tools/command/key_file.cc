#include "tools/command/key_file.h"

#include <unistd.h>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/exit_code.h"
#include "tools/io/file.h"

namespace stele::tools {
namespace {

constexpr size_t kPemBytes = 64 * 1024;

absl::StatusOr<std::string> ReadPem(const std::filesystem::path& path) {
  absl::StatusOr<std::string> pem = ReadFileAtMost(path, kPemBytes);
  if (pem.ok()) return pem;
  return UsageError(std::string(pem.status().message()));
}

absl::Status NoKey(const std::filesystem::path& path, std::string_view expected,
                   const absl::Status& status) {
  return UsageError(
      Concat(path.string(), ": expected ", expected, ": ", std::string(status.message())));
}

}  // namespace

absl::StatusOr<PrivateKey> ReadPrivateKey(const std::filesystem::path& path) {
  STELE_ASSIGN_OR_RETURN(std::string pem, ReadPem(path));
  absl::StatusOr<PrivateKey> key = PrivateKey::FromPem(pem);
  if (key.ok()) return key;
  return NoKey(path, "a private key in PKCS#8 PEM, as `stele keygen` writes it", key.status());
}

absl::StatusOr<PublicKey> ReadPublicKey(const std::filesystem::path& path) {
  STELE_ASSIGN_OR_RETURN(std::string pem, ReadPem(path));
  absl::StatusOr<PublicKey> key = PublicKey::FromPem(pem);
  if (key.ok()) return key;
  return NoKey(path, "a public key in SPKI PEM, the .pub that `stele keygen` writes", key.status());
}

std::filesystem::path PublicKeyPath(const std::filesystem::path& path) {
  return path.string() + ".pub";
}

absl::Status WriteKeyPair(const std::filesystem::path& path, const PrivateKey& key) {
  const std::filesystem::path public_path = PublicKeyPath(path);
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, error))) {
    return absl::AlreadyExistsError(
        Concat(path.string(), " is there already; a key is never overwritten"));
  }
  STELE_RETURN_IF_ERROR(WriteNewFile(public_path, key.public_key().ToPem(), 0644));
  absl::Status status = WriteNewFile(path, key.ToPem(), 0600);
  if (!status.ok()) ::unlink(public_path.c_str());
  return status;
}

}  // namespace stele::tools
