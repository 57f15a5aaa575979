#include "core/tlog/cosignature.h"

#include <limits>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "core/tlog/key_name.h"
#include "core/tlog/vkey.h"

namespace stele {
namespace {

constexpr size_t kTimeBytes = 8;
constexpr size_t kSignatureBytes = 64;
constexpr uint64_t kMaxTime = std::numeric_limits<int64_t>::max();

absl::Status BadVkey(std::string_view message) {
  return RefuseInput(reason::kBadVkey, "", message);
}

absl::Status BadCosignature(const CosignerVerifier& cosigner, std::string_view message) {
  return RefuseInput(reason::kCheckpointSignature, "",
                     Concat("the cosignature of ", cosigner.ToVkey(), " ", message));
}

Vkey VkeyOf(std::string_view name, const PublicKey& key) {
  return {std::string(name), kCosignatureEd25519, std::string(key.ed25519_raw())};
}

std::string CosignedMessage(std::string_view text, CosignatureTime time) {
  return Concat("cosignature/v1\ntime ", time.value(), "\n", text);
}

}  // namespace

absl::StatusOr<CosignerVerifier> CosignerVerifier::FromVkey(std::string_view vkey) {
  STELE_ASSIGN_OR_RETURN(const Vkey parsed, ParseVkey(vkey));
  if (parsed.type != kCosignatureEd25519) {
    return BadVkey("the vkey is of another type than an Ed25519 cosigner's");
  }
  absl::StatusOr<PublicKey> point = PublicKey::FromEd25519(parsed.key);
  if (!point.ok()) return BadVkey(std::string(point.status().message()));
  return Make(parsed.name, *std::move(point));
}

absl::StatusOr<CosignerVerifier> CosignerVerifier::Make(std::string_view name, PublicKey key) {
  if (!ValidKeyName(name)) return BadVkey("a key name is not empty, without white space and '+'");
  if (key.algorithm() != KeyAlgorithm::kEd25519) {
    return RefuseInput(reason::kBadKey, "", "a key that cosigns is Ed25519");
  }
  const uint32_t hash = KeyHashOf(VkeyOf(name, key));
  return CosignerVerifier{std::string(name), hash, std::move(key)};
}

std::string CosignerVerifier::ToVkey() const { return FormatVkey(VkeyOf(name, key)); }

bool IsOf(const NoteSignature& line, const CosignerVerifier& cosigner) {
  return line.key_hash == cosigner.key_hash && line.name == cosigner.name;
}

absl::StatusOr<CosignatureTime> VerifyCosignature(std::string_view text, const NoteSignature& line,
                                                  const CosignerVerifier& cosigner) {
  const std::string_view value = line.signature;
  if (value.size() != kTimeBytes + kSignatureBytes) {
    return BadCosignature(cosigner, "is not 8 bytes of time and 64 of signature");
  }
  uint64_t seconds = 0;
  for (char c : value.substr(0, kTimeBytes)) seconds = seconds << 8 | static_cast<unsigned char>(c);
  if (seconds > kMaxTime) return BadCosignature(cosigner, "has a time over 2^63-1");
  const CosignatureTime time(seconds);
  if (!cosigner.key.Verify(CosignedMessage(text, time), value.substr(kTimeBytes)).ok()) {
    return BadCosignature(cosigner, "does not verify");
  }
  return time;
}

absl::StatusOr<NoteSignature> Cosign(std::string_view text, CosignatureTime time,
                                     const CosignerVerifier& cosigner, const PrivateKey& key) {
  if (key.public_key().id() != cosigner.key.id()) {
    return absl::InvalidArgumentError("the private key is not the one of " + cosigner.ToVkey());
  }
  if (time.value() > kMaxTime) {
    return absl::InvalidArgumentError("the time of a cosignature is at most 2^63-1 seconds");
  }
  STELE_ASSIGN_OR_RETURN(std::string signature, key.Sign(CosignedMessage(text, time)));
  std::string value;
  for (int shift = 56; shift >= 0; shift -= 8) {
    value += static_cast<char>(time.value() >> shift & 0xff);
  }
  return NoteSignature{cosigner.name, cosigner.key_hash, value + signature};
}

}  // namespace stele
