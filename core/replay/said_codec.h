// The compact form of what an entry says: as much as the replay needs, so that it can be done again
// without reading leaves and verifying signatures. For a file that its writer alone reads.
//
// Not a format of the log: it may change with the program. Numbers are varints (7 bits a byte, low
// ones first), digests 32 raw bytes:
//
//   flags        reading (3 bits) | signature << 3 (2 bits) | own key << 5 | detached << 6 |
//                payload kept << 7
//   reason       length, text; unless the entry is whole
//   logged, authority + 1, signer, [digest of the envelope]; nothing more of a malformed leaf
//   digest of the payload, unless the envelope was not read
//   statement    if it was read; `payload kept`: length, payload (of events and retractions: valid
//                or void for no fault of form). Else type, predicate type if it is foreign, number
//                of subjects, and of each: kind, digest, [manifest if it differs], [size]
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/replay/said.h"

namespace stele {

void AppendSaid(const ReadEntry& read, std::string& out);

// Reads one from the front of `bytes` and cuts it off. DATA_LOSS for anything that AppendSaid does
// not write.
absl::StatusOr<Said> TakeSaid(EntryIndex index, std::string_view origin, std::string_view& bytes);

}  // namespace stele
