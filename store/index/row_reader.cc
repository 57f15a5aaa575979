#include "store/index/row_reader.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {

absl::Status DamagedIndexRow(std::string_view key, std::string_view what) {
  return Refuse(
      absl::StatusCode::kDataLoss, reason::kDamaged, "",
      Concat(NameOfIndexRow(key), " is damaged: ", what, "; stele reindex derives the index anew"));
}

absl::StatusOr<std::optional<TitleValue>> IndexRowReader::ReadTitle(const Digest& record,
                                                                    const Digest& manifest) const {
  if (Withheld(record) || Withheld(manifest)) return std::optional<TitleValue>();
  const std::string key = TitleKey(record, manifest);
  STELE_ASSIGN_OR_RETURN(const std::optional<std::string> frame, index_.Get(key));
  if (!frame) return std::optional<TitleValue>();
  STELE_ASSIGN_OR_RETURN(TitleValue title, DecodeTitle(*frame, key));
  return std::optional(std::move(title));
}

absl::StatusOr<IndexRowReader::Known> IndexRowReader::ReadKnown(
    const RecordPosition& position) const {
  STELE_ASSIGN_OR_RETURN(RecordTrust trust, ReadTrust(reader_, position.record));
  return Known{position, std::move(trust)};
}

absl::StatusOr<RecordRow> IndexRowReader::BeginRow(const Known& known) const {
  const RecordTrust& trust = known.trust;
  RecordRow row;
  row.record = known.position.record;
  row.first = known.position.first;
  row.owner = trust.owner;
  row.disputed = !trust.counts();
  row.retracted = trust.retracted();
  row.withheld_by = trust.withheld_by;
  STELE_ASSIGN_OR_RETURN(row.superseded_by, ReadSuccessor(reader_, trust));
  return row;
}

absl::StatusOr<std::vector<RecordRow>> IndexRowReader::ReadRecords(
    const std::vector<Known>& records) const {
  std::vector<RecordRow> rows;
  rows.reserve(records.size());
  std::vector<std::string> keys;
  keys.reserve(3 * records.size());
  // Of each its first row, then its body's unless that is withheld, then its title's if it has one.
  for (const Known& known : records) {
    STELE_ASSIGN_OR_RETURN(RecordRow row, BeginRow(known));
    rows.push_back(std::move(row));
    keys.push_back(ListKey(RecordsPrefix(), known.position));
    if (known.trust.withheld_by) continue;
    keys.push_back(BodyKey(known.position.record));
    if (const std::optional<Digest> shown = Shown(known.trust)) {
      keys.push_back(TitleKey(known.position.record, *shown));
    }
  }
  STELE_ASSIGN_OR_RETURN(const auto values, index_.GetMany(keys));
  size_t next = 0;
  for (size_t i = 0; i < records.size(); ++i) {
    const std::string& first_key = keys[next];
    const std::optional<std::string>& first = values[next++];
    if (!first) return DamagedIndexRow(first_key, "it is not there, as another row says");
    STELE_ASSIGN_OR_RETURN(const FirstValue value, DecodeFirst(*first, first_key));
    rows[i].logged = value.logged;
    if (records[i].trust.withheld_by) continue;
    const std::string& body_key = keys[next];
    if (const std::optional<std::string>& body = values[next++]) {
      STELE_ASSIGN_OR_RETURN(BodyValue read, DecodeBody(*body, body_key));
      rows[i].kind = std::move(read.kind);
    }
    if (!Shown(records[i].trust)) continue;
    const std::string& title_key = keys[next];
    if (const std::optional<std::string>& frame = values[next++]) {
      STELE_ASSIGN_OR_RETURN(TitleValue title, DecodeTitle(*frame, title_key));
      rows[i].name = std::move(title.name);
      rows[i].title = std::move(title.title);
    }
  }
  return rows;
}

std::optional<Digest> IndexRowReader::Shown(const RecordTrust& trust) const {
  const std::optional<Digest> manifest = trust.manifest();
  return manifest && !Withheld(*manifest) ? manifest : std::nullopt;
}

absl::StatusOr<std::optional<RunValue>> IndexRowReader::ReadRun(const Digest& record) const {
  if (Withheld(record)) return std::optional<RunValue>();
  const std::string key = RunKey(record);
  STELE_ASSIGN_OR_RETURN(const std::optional<std::string> frame, index_.Get(key));
  if (!frame) return std::optional<RunValue>();
  STELE_ASSIGN_OR_RETURN(RunValue run, DecodeRun(*frame, key));
  return std::optional(std::move(run));
}

absl::StatusOr<std::optional<Digest>> IndexRowReader::ReadComparisonKey(const Digest& record,
                                                                        const RunValue& run) const {
  std::optional<Digest> found;
  if (Withheld(record) || !run.workload || Withheld(*run.workload)) return found;
  const std::string prefix = ComparisonKeyPrefix(record);
  STELE_RETURN_IF_ERROR(
      VisitPrefix(index_, prefix, [&](std::string_view key, std::string_view) -> absl::Status {
        if (found) return DamagedIndexRow(key, "a run has one comparison key");
        found = Digest::FromBytes(key.substr(prefix.size()));
        return found ? absl::OkStatus() : DamagedIndexRow(key, "its key is none");
      }));
  return found;
}

absl::StatusOr<std::vector<RunRow>> IndexRowReader::ReadRunRows(
    const std::vector<Known>& records, const std::vector<RunValue>& runs) const {
  STELE_ASSIGN_OR_RETURN(std::vector<RecordRow> read, ReadRecords(records));
  std::vector<RunRow> rows(records.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    RunRow& row = rows[i];
    const RunValue& run = runs[i];
    row.record = std::move(read[i]);
    row.implementation = run.implementation;
    row.workload = run.workload;
    row.protocol = run.protocol;
    row.environment = run.environment;
    row.status = run.status;
    row.measurement = {run.metric, run.value, run.unit};
    if (run.interval) row.confidence95 = {run.interval->first, run.interval->second};
    STELE_ASSIGN_OR_RETURN(row.cohort, ReadComparisonKey(records[i].position.record, run));
  }
  return rows;
}

}  // namespace stele::store
