// What the log says about a record at this moment: who owns it, does it count, is it retracted
// (rules 15, 25 to 28). Read from the log's own rows. Pure but for what it reads of one moment.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "store/index/queries.h"
#include "store/read/reader.h"

namespace stele::store {

struct RecordTrust {
  Digest record;
  Reader::Publications publications;
  std::optional<KeyId> owner;  // signer of the first publication that counts
  // Those that count and retract it, ascending.
  std::vector<SubjectRow> retractions;
  std::vector<KeyId> withdrawn_by;
  std::optional<EntryIndex> withheld_by;

  bool published() const { return !publications.rows.empty(); }
  bool counts() const { return owner.has_value(); }
  bool retracted() const { return !retractions.empty(); }
  // The manifest of the owner's latest publication that counts; nothing if none does.
  std::optional<Digest> manifest() const;
};

// Errors are the reader's. Of what was never published: nothing but withholding.
absl::StatusOr<RecordTrust> ReadTrust(const Reader& reader, const Digest& record);

// What its first retraction says, and the successor, if it is retracted. No chain yet.
absl::StatusOr<std::optional<RetractionRow>> ReadRetraction(const Reader& reader,
                                                            const RecordTrust& trust);
// The successor alone, of the first retraction that names one.
absl::StatusOr<std::optional<Digest>> ReadSuccessor(const Reader& reader, const RecordTrust& trust);

// With the chain of successors. `moment` is left to the caller.
absl::StatusOr<Standing> ReadStanding(const Reader& reader, const Digest& record);

}  // namespace stele::store
