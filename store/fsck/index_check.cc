#include "store/fsck/index_check.h"

#include <string>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/fsck/row_sum.h"
#include "store/index/derive.h"
#include "store/index/index_keys.h"
#include "store/indexer/applier.h"
#include "store/indexer/log_source.h"
#include "store/indexer/valid_entry.h"

namespace stele::store {
namespace {

class IndexRowCheck {
 public:
  IndexRowCheck(const Snapshot& log, const IndexSnapshot& index, Findings& findings,
                const std::function<void(uint64_t, uint64_t)>& progress)
      : log_(log), index_(index), findings_(findings), progress_(progress) {}

  absl::StatusOr<IndexCheck> Check() {
    const IndexPosition& position = index_.position();
    check_.applied = position.applied;
    if (const absl::Status fits = CheckIndexPosition(log_, position); !fits.ok()) {
      if (!absl::IsFailedPrecondition(fits)) return fits;
      findings_.Add("index", "",
                    Concat("does not follow from this log: ", std::string(fits.message())),
                    "it is thrown away and derived anew at the next start");
      return check_;
    }
    RowSum expected, found;
    STELE_RETURN_IF_ERROR(VisitExpected([&](std::string_view key, std::string_view value) {
      expected.Add(key, value);
      return absl::OkStatus();
    }));
    if (!SumFound(found)) return check_;
    if (found == expected) return check_;
    const uint64_t before = findings_.count();
    uint64_t there = 0;
    STELE_RETURN_IF_ERROR(VisitExpected(
        [&](std::string_view key, std::string_view value) { return Compare(key, value, there); }));
    // Of a statement that is not taken in whole some rows may be there already.
    const uint64_t others = found.count() - there;
    if (others > 0 && !position.parts && findings_.count() == before) {
      findings_.Add("index", "rows",
                    Concat("has ", others, " rows that do not follow from its log"), kReindex);
    }
    return check_;
  }

 private:
  template <class Visit>
  absl::Status VisitExpected(Visit visit) {
    const uint64_t applied = check_.applied.value();
    const LogSource source(log_, applied);
    absl::Status derived;
    uint64_t done = 0;
    STELE_RETURN_IF_ERROR(
        log_.VisitEntries(EntryIndex(0), EntryIndex(applied), [&](const EntryRow& row) {
          derived = DeriveEntry(row, source, visit);
          if (progress_) progress_(++done, applied);
          return derived.ok();
        }));
    return derived;
  }

  template <class Visit>
  absl::Status DeriveEntry(const EntryRow& row, const LogSource& source, Visit& visit) {
    STELE_ASSIGN_OR_RETURN(const std::optional<ValidEntry> entry, ReadValidEntry(log_, row));
    if (!entry) return absl::OkStatus();
    return DeriveRowsOnce(
        {entry->index, entry->signer, entry->logged, entry->statement}, source,
        [&](const std::string& key, const std::string& value) { return visit(key, value); });
  }

  // False if they cannot all be read: then that was said.
  bool SumFound(RowSum& found) {
    const std::unique_ptr<IndexCursor> cursor = index_.NewCursor();
    for (cursor->Seek(RecordsPrefix()); cursor->valid(); cursor->Next()) {
      if (cursor->key().starts_with(RecordsPrefix())) ++check_.records;
      found.Add(cursor->key(), cursor->value());
    }
    check_.rows = found.count();
    if (cursor->status().ok()) return true;
    findings_.Add("index", "rows", std::string(cursor->status().message()), kReindex);
    return false;
  }

  absl::Status Compare(std::string_view key, std::string_view value, uint64_t& there) {
    const absl::StatusOr<std::optional<std::string>> is = index_.Get(key);
    const std::string name = NameOfIndexRow(key);
    if (!is.ok()) {
      findings_.Add("index", name, std::string(is.status().message()), kReindex);
    } else if (!is->has_value()) {
      findings_.Add("index", name, "is not there, as the log leads to it", kReindex);
    } else {
      ++there;
      if (**is != value) findings_.Add("index", name, "is not what the log leads to", kReindex);
    }
    return absl::OkStatus();
  }

  const Snapshot& log_;
  const IndexSnapshot& index_;
  Findings& findings_;
  const std::function<void(uint64_t, uint64_t)>& progress_;
  IndexCheck check_;
};

}  // namespace

absl::StatusOr<IndexCheck> CheckIndexRows(
    const Snapshot& log, const IndexSnapshot& index, Findings& findings,
    const std::function<void(uint64_t done, uint64_t all)>& progress) {
  return IndexRowCheck(log, index, findings, progress).Check();
}

}  // namespace stele::store
