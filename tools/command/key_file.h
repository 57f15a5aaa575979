// Keys in files: PKCS#8 PEM for private ones (mode 0600), SPKI PEM for public ones (`.pub`).
#pragma once

#include <filesystem>

#include "absl/status/statusor.h"
#include "core/crypto/key.h"

namespace stele::tools {

// Errors are usage errors (exit code 2) that name the file and never quote it.
absl::StatusOr<PrivateKey> ReadPrivateKey(const std::filesystem::path& path);
absl::StatusOr<PublicKey> ReadPublicKey(const std::filesystem::path& path);

// `path` + ".pub".
std::filesystem::path PublicKeyPath(const std::filesystem::path& path);

// Writes `path` (0600) and its .pub (0644), both new; on stable storage on return. ALREADY_EXISTS
// if either is there; then neither is written.
absl::Status WriteKeyPair(const std::filesystem::path& path, const PrivateKey& key);

}  // namespace stele::tools
