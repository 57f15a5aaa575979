// Signing and verifying keys: Ed25519 and ECDSA P-256 with SHA-256, and nothing else.
//
// The frozen verdict (formats §4): Ed25519 by RFC 8032, cofactorless, R compared as bytes, S < L,
// A canonical and not of small order. ECDSA: a signature of exactly 64 bytes is r‖s, anything else
// strict minimal DER; 0 < r, s < n; high s accepted. An SPKI is exactly the 44 bytes
// `302a300506032b6570032100 ‖ A` or exactly 91 bytes of an uncompressed point on the named curve.
//
// Both classes are cheap to copy (shared immutable state) and may be used from any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/crypto/digest.h"

namespace stele {

enum class KeyAlgorithm { kEd25519, kEcdsaP256 };
// "ed25519" or "ecdsa-p256".
std::string_view KeyAlgorithmName(KeyAlgorithm algorithm);

class PublicKey {
 public:
  // BAD_KEY if the bytes are not one of the two forms or the point is not allowed.
  static absl::StatusOr<PublicKey> FromSpki(std::string_view spki);
  // From the 32 raw bytes of an Ed25519 point (vkeys). BAD_KEY as above.
  static absl::StatusOr<PublicKey> FromEd25519(std::string_view raw);
  // PEM "PUBLIC KEY", as `stele keygen` writes it. BAD_KEY, or INVALID_ARGUMENT if no PEM.
  static absl::StatusOr<PublicKey> FromPem(std::string_view pem);

  KeyAlgorithm algorithm() const;
  const std::string& spki() const;       // DER
  const KeyId& id() const;               // SHA-256 of spki()
  std::string_view ed25519_raw() const;  // the 32 bytes; empty for ECDSA
  std::string ToPem() const;

  // OK, or BAD_SIGNATURE (INVALID_ARGUMENT).
  absl::Status Verify(std::string_view message, std::string_view signature) const;

 private:
  struct State;
  explicit PublicKey(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
  friend class PrivateKey;
};

// Never printed, never logged; memory is cleansed when the last copy goes.
class PrivateKey {
 public:
  static absl::StatusOr<PrivateKey> Generate(KeyAlgorithm algorithm);
  // PKCS#8 PEM, unencrypted. INVALID_ARGUMENT without quoting any of the input.
  static absl::StatusOr<PrivateKey> FromPem(std::string_view pem);
  // From the 32-byte seed of RFC 8032 (test vectors, signed-note keys).
  static absl::StatusOr<PrivateKey> FromEd25519Seed(std::string_view seed);
  std::string ToPem() const;

  const PublicKey& public_key() const;
  // 64 raw bytes for Ed25519, DER for ECDSA. INTERNAL if OpenSSL fails.
  absl::StatusOr<std::string> Sign(std::string_view message) const;

 private:
  struct State;
  explicit PrivateKey(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace stele
