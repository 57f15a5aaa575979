// Input: one byte chooses the key, the next the length of the message; the rest is the signature.
// No pair of key algorithm and signature shape may crash, and what verifies is of the right shape.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/crypto/key.h"
#include "core/crypto/sha256.h"

namespace {

const stele::PublicKey& Key(bool ed25519) {
  using stele::PrivateKey;
  static const PrivateKey ed = *PrivateKey::FromEd25519Seed(stele::Sha256("fuzz").bytes());
  static const PrivateKey ec = *PrivateKey::Generate(stele::KeyAlgorithm::kEcdsaP256);
  return ed25519 ? ed.public_key() : ec.public_key();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.size() < 2) return 0;
  const bool ed25519 = (input[0] & 1) != 0;
  const size_t message = static_cast<unsigned char>(input[1]);
  input.remove_prefix(2);
  if (input.size() < message) return 0;
  const absl::Status verdict = Key(ed25519).Verify(input.substr(0, message), input.substr(message));
  if (verdict.ok() && ed25519 && input.size() - message != 64) std::abort();
  // The same bytes as a key: refused or usable.
  const absl::StatusOr<stele::PublicKey> key = stele::PublicKey::FromSpki(input);
  if (key.ok() && key->Verify(input, input).ok()) std::abort();
  return 0;
}
