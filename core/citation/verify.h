// What a citation bundle proves (rules 33, 34): everything in it is in the log's tree at the
// checkpoint, and was said by who was allowed to.
//
// What it does not prove: that the entries shown are all there are about the record. That is the
// server's word as of the checkpoint.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/citation/citation.h"
#include "core/statement/statement.h"
#include "core/tlog/quorum.h"

namespace stele {

struct CitationVerdict {
  // An entry about the record that counts.
  struct About {
    EntryIndex index;
    StatementType type = StatementType::kForeign;
    std::string predicate_type;
    KeyId signer;
    TimeMs logged;  // the operator's word
  };

  TrustedCheckpoint checkpoint;
  Digest record;
  Digest manifest;
  size_t entries = 0;  // shown
  KeyId owner;
  std::vector<About> about;                                 // ascending
  std::vector<std::pair<EntryIndex, EntryIndex>> disputed;  // entry shown → the revocation
  std::vector<EntryIndex> withheld_entries;                 // whose envelopes are withheld
  bool withheld = false;                                    // the record or its manifest is
  bool retracted = false;
  std::optional<Digest> superseded_by;
  // Log keys that should have signed a checkpoint of this size and did not, as vkeys.
  std::vector<std::string> missing_log_keys;
  // Entries shown that the operator logged with a time before that of one below: its fault, but the
  // entries stand.
  std::vector<EntryIndex> time_faults;
};

// Refusals, with the place in the bundle, in the order of checking: what OpenCheckpoint refuses
// under the policy (at the empty pointer); PERMALINK; IDENTITY_MISMATCH; MANIFEST_MISMATCH;
// PROOF_INDEX, PROOF_SHAPE, PROOF_ROOT; GENESIS if the log's first entry is not shown; the reason
// for which an entry shown is void, MISSING_CONTENT for a detached envelope that is neither shown
// nor withheld, WITHHELD for one that is both, UNKNOWN_MEMBER for one beside an inline entry;
// LOG_KEY_RETIRED; NO_PUBLICATION; MANIFEST_MISMATCH if no publication shown names the manifest.
// Pure.
absl::StatusOr<CitationVerdict> VerifyCitation(const Citation& citation, const TrustPolicy& policy);

}  // namespace stele
