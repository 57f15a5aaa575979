#include "core/crypto/ed25519_quick.h"

#include <sodium.h>

namespace stele {
namespace {

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

bool AcceptedQuickly(std::string_view raw_key, std::string_view message,
                     std::string_view signature) {
  // Chooses the code for this machine; once for the process, and safe to repeat.
  static const bool ready = sodium_init() >= 0;
  return ready && raw_key.size() == crypto_sign_PUBLICKEYBYTES &&
         signature.size() == crypto_sign_BYTES &&
         crypto_sign_verify_detached(Bytes(signature), Bytes(message), message.size(),
                                     Bytes(raw_key)) == 0;
}

}  // namespace stele
