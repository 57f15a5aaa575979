#include "store/index/list_records.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/query_limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/index/index_keys.h"
#include "store/index/name_filter.h"
#include "store/index/page_builder.h"
#include "store/index/place_stream.h"
#include "store/index/row_reader.h"

namespace stele::store {
namespace {

using Streams = std::vector<std::unique_ptr<PlaceStream>>;
using Records = std::vector<IndexRowReader::Known>;

class RecordLister {
 public:
  RecordLister(const QueryScope& scope, const ListFilter& filter)
      : scope_(scope), filter_(filter), rows_(scope.reader, scope.index) {}

  absl::StatusOr<Page<RecordRow>> List(const PageRequest& request) {
    STELE_RETURN_IF_ERROR(ReadFilter());
    STELE_ASSIGN_OR_RETURN(const PagePlan plan,
                           PlanPage(request, Question(), scope_.moment.applied, scope_.moment.size,
                                    kPositionBytes, limits::kPageRows));
    STELE_ASSIGN_OR_RETURN(const Streams streams, MakeStreams());
    Page<RecordRow> page{scope_.moment, {}, {}};
    std::optional<std::string> place = plan.place;
    size_t steps = limits::kPageCandidates;
    while (place) {
      if (page.rows.size() == plan.rows || steps == 0) {
        page.next_token = plan.TokenAt(*std::move(place));
        break;
      }
      Records records;
      STELE_RETURN_IF_ERROR(
          Find(streams, plan.size, plan.rows - page.rows.size(), place, steps, records));
      STELE_RETURN_IF_ERROR(Take(records, page.rows));
    }
    return page;
  }

 private:
  absl::Status ReadFilter() {
    if (filter_.kind && filter_.kind->size() > limits::kIndexedKindBytes) {
      return RefuseInput(reason::kTooLong, "/kind",
                         Concat("the kind has ", filter_.kind->size(), " bytes, the limit is ",
                                limits::kIndexedKindBytes));
    }
    if (filter_.name.empty()) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(name_, NameFilter::Parse(filter_.name));
    return absl::OkStatus();
  }

  uint64_t Question() const {
    const auto bytes = [](const std::optional<Digest>& d) {
      return d ? d->bytes() : std::string_view();
    };
    return QuestionHash({"list", filter_.kind ? "kind" : "", filter_.kind.value_or(""),
                         filter_.name, bytes(filter_.publisher), bytes(filter_.references)});
  }

  absl::StatusOr<Streams> MakeStreams() const {
    Streams streams;
    if (name_) {
      STELE_ASSIGN_OR_RETURN(streams, name_->Streams(scope_.index));
    }
    const auto add = [&](std::string prefix) {
      streams.push_back(StreamOf(scope_.index, std::move(prefix)));
    };
    if (filter_.references) add(ReferencesPrefix(*filter_.references));
    if (filter_.publisher) add(PublisherPrefix(*filter_.publisher));
    if (filter_.kind) add(KindPrefix(*filter_.kind));
    if (streams.empty()) add(RecordsPrefix());
    return streams;
  }

  // At most `count` of those from `place` on; then nothing, or the place behind them.
  absl::Status Find(const Streams& streams, TreeSize size, size_t count,
                    std::optional<std::string>& place, size_t& steps, Records& records) const {
    while (place && records.size() < count && steps > 0) {
      STELE_ASSIGN_OR_RETURN(std::optional<Meeting> meeting, NextMeeting(streams, *place, steps));
      if (!meeting) {
        place.reset();
      } else if (!meeting->meets) {
        place = std::move(meeting->place);
      } else {
        STELE_RETURN_IF_ERROR(Consider(*ParsePosition(meeting->place), size, records));
        place = PlaceAfter(std::move(meeting->place));
      }
    }
    return absl::OkStatus();
  }

  absl::Status Consider(const RecordPosition& position, TreeSize size, Records& records) const {
    if (position.first.value() >= size.value() || !rows_.Applied(position.first)) {
      return absl::OkStatus();
    }
    STELE_ASSIGN_OR_RETURN(IndexRowReader::Known known, rows_.ReadKnown(position));
    // What only its content says is not known of it.
    if (known.trust.withheld_by && (filter_.kind || filter_.references)) return absl::OkStatus();
    records.push_back(std::move(known));
    return absl::OkStatus();
  }

  absl::Status Take(const Records& records, std::vector<RecordRow>& taken) const {
    STELE_ASSIGN_OR_RETURN(std::vector<RecordRow> rows, rows_.ReadRecords(records));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (name_) {
        STELE_ASSIGN_OR_RETURN(const bool matches,
                               name_->Matches(rows_, records[i].trust, rows[i]));
        if (!matches) continue;
      }
      taken.push_back(std::move(rows[i]));
    }
    return absl::OkStatus();
  }

  const QueryScope& scope_;
  const ListFilter& filter_;
  const IndexRowReader rows_;
  std::optional<NameFilter> name_;
};

// Goes through the rows behind `prefix` from where the page begins. `take` gets what follows the
// prefix, the value, and the rows so far; a place is the first `place_bytes` of the former.
template <class Row, class Take>
absl::StatusOr<Page<Row>> ListTable(const QueryScope& scope, const PagePlan& plan,
                                    const std::string& prefix, Take take) {
  Page<Row> page{scope.moment, {}, {}};
  const std::unique_ptr<IndexCursor> cursor = scope.index.NewCursor();
  size_t candidates = limits::kPageCandidates;
  for (cursor->Seek(Concat(prefix, plan.place));
       cursor->valid() && cursor->key().starts_with(prefix); cursor->Next()) {
    const std::string_view rest = cursor->key().substr(prefix.size());
    if (page.rows.size() == plan.rows || candidates-- == 0) {
      page.next_token = plan.TokenAt(std::string(rest));
      return page;
    }
    STELE_RETURN_IF_ERROR(take(cursor->key(), rest, cursor->value(), page.rows));
  }
  STELE_RETURN_IF_ERROR(cursor->status());
  return page;
}

}  // namespace

absl::StatusOr<Page<RecordRow>> ListRecords(const QueryScope& scope, const ListFilter& filter,
                                            const PageRequest& request) {
  return RecordLister(scope, filter).List(request);
}

absl::StatusOr<Page<ReferenceRow>> ListReferences(const QueryScope& scope, const Digest& target,
                                                  const PageRequest& request) {
  constexpr size_t kPlaceBytes = kPositionBytes + sizeof(uint32_t);
  STELE_ASSIGN_OR_RETURN(
      const PagePlan plan,
      PlanPage(request, QuestionHash({"references", target.bytes()}), scope.moment.applied,
               scope.moment.size, kPlaceBytes, limits::kPageRows));
  const IndexRowReader rows(scope.reader, scope.index);
  std::vector<IndexRowReader::Known> from;
  std::vector<size_t> from_of;  // of each row; a record may hold the same reference often
  const auto take = [&](std::string_view key, std::string_view rest, std::string_view value,
                        std::vector<ReferenceRow>& out) -> absl::Status {
    const std::optional<ReferenceParts> parts = ParseReference(rest);
    if (!parts) return DamagedIndexRow(key, "its key is none");
    const RecordPosition& position = parts->position;
    if (position.first.value() >= plan.size.value() || !rows.Applied(position.first) ||
        rows.Withheld(position.record)) {
      return absl::OkStatus();
    }
    STELE_ASSIGN_OR_RETURN(ReferenceValue reference, DecodeReference(value, key));
    if (from.empty() || from.back().position != position) {
      STELE_ASSIGN_OR_RETURN(IndexRowReader::Known known, rows.ReadKnown(position));
      from.push_back(std::move(known));
    }
    from_of.push_back(from.size() - 1);
    out.push_back({{}, std::move(reference.pointer), reference.artifact});
    return absl::OkStatus();
  };
  STELE_ASSIGN_OR_RETURN(Page<ReferenceRow> page,
                         ListTable<ReferenceRow>(scope, plan, ReferencesPrefix(target), take));
  STELE_ASSIGN_OR_RETURN(const std::vector<RecordRow> read, rows.ReadRecords(from));
  for (size_t i = 0; i < page.rows.size(); ++i) page.rows[i].from = read[from_of[i]];
  return page;
}

absl::StatusOr<Page<RunRow>> ListResults(const QueryScope& scope, const Digest& workload,
                                         const PageRequest& request) {
  STELE_ASSIGN_OR_RETURN(
      const PagePlan plan,
      PlanPage(request, QuestionHash({"results", workload.bytes()}), scope.moment.applied,
               scope.moment.size, kPositionBytes, limits::kPageRows));
  const IndexRowReader rows(scope.reader, scope.index);
  std::vector<IndexRowReader::Known> records;
  std::vector<RunValue> runs;
  const auto take = [&](std::string_view key, std::string_view rest, std::string_view,
                        std::vector<RunRow>& out) -> absl::Status {
    const std::optional<RecordPosition> position = ParsePosition(rest);
    if (!position || rest.size() != kPositionBytes) return DamagedIndexRow(key, "its key is none");
    if (position->first.value() >= plan.size.value() || !rows.Applied(position->first)) {
      return absl::OkStatus();
    }
    STELE_ASSIGN_OR_RETURN(std::optional<RunValue> run, rows.ReadRun(position->record));
    if (!run) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(IndexRowReader::Known known, rows.ReadKnown(*position));
    records.push_back(std::move(known));
    runs.push_back(*std::move(run));
    out.emplace_back();
    return absl::OkStatus();
  };
  STELE_ASSIGN_OR_RETURN(Page<RunRow> page,
                         ListTable<RunRow>(scope, plan, ResultsPrefix(workload), take));
  STELE_ASSIGN_OR_RETURN(page.rows, rows.ReadRunRows(records, runs));
  return page;
}

}  // namespace stele::store
