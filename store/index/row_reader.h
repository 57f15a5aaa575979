// Rows of the index together with what the log says about their records: the rows of answers. Pure
// but for what it reads of one moment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "store/index/index_keys.h"
#include "store/index/index_store.h"
#include "store/index/queries.h"
#include "store/index/trust.h"
#include "store/read/reader.h"

namespace stele::store {

// DATA_LOSS naming the row: what stands there is not what was derived.
absl::Status DamagedIndexRow(std::string_view key, std::string_view what);

// Borrows both. One thread at a time. Errors are DATA_LOSS and those of reading.
class IndexRowReader {
 public:
  IndexRowReader(const Reader& reader, const IndexSnapshot& index)
      : reader_(reader), index_(index) {}

  // What is derived from content that is withheld, or has not come in yet, is not shown.
  bool Applied(EntryIndex index) const { return index.value() < index_.position().applied.value(); }
  bool Withheld(const Digest& digest) const { return reader_.WithheldBy(digest).has_value(); }

  // A record, and what the log says about it.
  struct Known {
    RecordPosition position;
    RecordTrust trust;
  };
  absl::StatusOr<Known> ReadKnown(const RecordPosition& position) const;
  // In their order, with one look into the index for all.
  absl::StatusOr<std::vector<RecordRow>> ReadRecords(const std::vector<Known>& records) const;
  // Nothing if the record is withheld or no run.
  absl::StatusOr<std::optional<RunValue>> ReadRun(const Digest& record) const;
  // Nothing if the run has none: lacking what makes one, withheld, or for want of its workload.
  absl::StatusOr<std::optional<Digest>> ReadComparisonKey(const Digest& record,
                                                          const RunValue& run) const;
  // Of runs[i], which is records[i].
  absl::StatusOr<std::vector<RunRow>> ReadRunRows(const std::vector<Known>& records,
                                                  const std::vector<RunValue>& runs) const;
  // Of one manifest; nothing if it is withheld or not there.
  absl::StatusOr<std::optional<TitleValue>> ReadTitle(const Digest& record,
                                                      const Digest& manifest) const;

 private:
  // What the log alone says.
  absl::StatusOr<RecordRow> BeginRow(const Known& known) const;
  // The manifest whose name and title are shown.
  std::optional<Digest> Shown(const RecordTrust& trust) const;

  const Reader& reader_;
  const IndexSnapshot& index_;
};

}  // namespace stele::store
