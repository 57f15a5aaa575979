// Which 32 bytes may be an Ed25519 public key: a canonical encoding of a point on the curve that is
// not of small order (formats §4). Points of mixed order pass: the rule is frozen. Pure.
#pragma once

#include <string_view>

namespace stele {

bool AllowedEd25519Point(std::string_view raw);

}  // namespace stele
