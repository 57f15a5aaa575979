// Ed25519 signatures accepted at half the cost: a shortcut before the verdict, never the verdict.
//
// libsodium computes the same equation as the frozen rule (cofactorless, R compared as bytes, S <
// L) and refuses more, so what it accepts is accepted; what it refuses is for OpenSSL to decide.
#pragma once

#include <string_view>

namespace stele {

// True: the signature is valid. False: not known. `raw_key` has 32 bytes. Any thread.
bool AcceptedQuickly(std::string_view raw_key, std::string_view message,
                     std::string_view signature);

}  // namespace stele
