// A source as a pin knows it: which log it is, by its first entry.
#pragma once

#include "absl/status/statusor.h"
#include "client/pins.h"
#include "client/source/source.h"

namespace stele::client {

// Reads checkpoint and entry 0; nothing is verified but that entry 0 is the genesis of the origin
// that the checkpoint names, signed by the operator that it names: DATA_LOSS. The address is the
// source's name with %20 for spaces. The other errors are the source's.
absl::StatusOr<Pin> PinOf(Source& source);

}  // namespace stele::client
