// A citation bundle, `*.stele-citation.json` (formats §7): a record, and everything that shows
// offline what the log says about it. RFC 8785 form of
//
//   {"checkpoint":note,                     one for all entries
//    "entries":[{"detached":B64,            the envelope of a detached entry, unless withheld
//                "index":25,"leaf":B64,"proof":[B64,…]},…],      ascending
//    "identity":B64,"manifest":B64,"permalink":U,"record":D,"stele":"citation/v1"}
//
// This is the form alone; core/citation/verify.h says what it proves, core/citation/closure.h which
// entries belong in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/base/strong_int.h"
#include "core/crypto/digest.h"
#include "core/merkle/proof.h"

namespace stele {

struct CitationEntry {
  EntryIndex index;
  std::string leaf;
  Proof proof;  // of inclusion in the checkpoint's tree
  std::optional<std::string> detached;
  friend bool operator==(const CitationEntry&, const CitationEntry&) = default;
};

struct Citation {
  Digest record;
  std::string permalink;
  std::string identity;
  std::string manifest;
  std::string checkpoint;  // a signed note
  std::vector<CitationEntry> entries;
  friend bool operator==(const Citation&, const Citation&) = default;
};

// `https://<origin>/records/<64 hex>/`, the same from every mirror (formats §10).
std::string Permalink(std::string_view origin, const Digest& record);

// Inverse of each other. Refusals: those of JSON, NOT_CANONICAL, those of members, BAD_BASE64,
// PROOF_SHAPE for a hash that has not 32 bytes, ENTRY_ORDER; TOO_LARGE over limits::kCitationBytes.
absl::StatusOr<Citation> ParseCitation(std::string_view text);
std::string FormatCitation(const Citation& citation);

}  // namespace stele
