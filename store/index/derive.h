// Entry → rows of the index: static facts about records, a function of the entries and their
// content alone. What may change later (disputed, retracted, withheld, owner, evidence) is no row:
// queries read it from the log's own rows.
//
// A row is never changed. Of content that is not there no rows follow; when a withholding of it is
// lifted they are derived again, if it is there by then.
//
// Pure but for what it asks its source.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/statement/statement.h"
#include "store/backend/backend.h"

namespace stele::store {

// A valid entry.
struct IndexedEntry {
  EntryIndex index;
  KeyId signer;
  TimeMs logged;
  const Statement& statement;
};

// What else a row follows from. Errors are passed on.
class DeriveSource {
 public:
  virtual ~DeriveSource() = default;
  // The valid publications of a record that count as there, ascending. Those up to the entry in
  // hand: then a row comes once everything that it follows from has.
  virtual absl::StatusOr<std::vector<PublicationRow>> Publications(const Digest& record) const = 0;
  // Bytes with this digest, withheld or not; nothing if there are none.
  virtual absl::StatusOr<std::optional<std::string>> Content(const Digest& digest) const = 0;
  // From the rows so far: the runs that name this workload, the records with this manifest.
  using Visit = absl::FunctionRef<absl::Status(const Digest& record)>;
  virtual absl::Status VisitResults(const Digest& workload, Visit visit) const = 0;
  virtual absl::Status VisitRecordsOf(const Digest& manifest, Visit visit) const = 0;
};

// Takes a row; its key may come again, with the same value. An error ends the derivation.
using RowSink = absl::FunctionRef<absl::Status(std::string key, std::string value)>;

// The rows that an entry adds to those of the entries below it.
absl::Status DeriveRows(const IndexedEntry& entry, const DeriveSource& source, RowSink sink);

// The rows that follow from an entry alone once the whole log is known, each of the log's rows from
// exactly one entry: for who compares. `source` has the publications of the whole log; it is asked
// for no rows.
absl::Status DeriveRowsOnce(const IndexedEntry& entry, const DeriveSource& source, RowSink sink);

}  // namespace stele::store
