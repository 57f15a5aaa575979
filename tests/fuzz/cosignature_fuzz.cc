// A note opened under a policy with one witness: never without its quorum, and the time that comes
// out is the one that was signed. The keys are those of the test signers "log.example/x" and "w".
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/crypto/sha256.h"
#include "core/tlog/quorum.h"

namespace {

stele::PublicKey KeyOf(std::string_view sentence) {
  return stele::PrivateKey::FromEd25519Seed(stele::Sha256(sentence).bytes())->public_key();
}

const stele::TrustPolicy& Policy() {
  static const stele::TrustPolicy policy = *stele::ParseTrustPolicy(
      "log " + stele::NoteVerifier::Make("log.example/x", KeyOf("log log.example/x"))->ToVkey() +
      "\nwitness w " + stele::CosignerVerifier::Make("w", KeyOf("witness w"))->ToVkey() +
      "\nquorum w\n");
  return policy;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto opened = stele::OpenCheckpoint(input, Policy()); opened.ok()) {
    if (opened->cosigners.size() != 1 || opened->signers.size() != 1) std::abort();
    if (opened->cosigners[0].time.value() >> 63 != 0) std::abort();
  }
  return 0;
}
