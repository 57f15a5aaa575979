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

absl::StatusOr<RecordRow> IndexRowReader::ReadRecord(const RecordPosition& position) const {
  STELE_ASSIGN_OR_RETURN(const RecordTrust trust, ReadTrust(reader_, position.record));
  return ReadRecord(position, trust);
}

absl::StatusOr<RecordRow> IndexRowReader::ReadRecord(const RecordPosition& position,
                                                     const RecordTrust& trust) const {
  RecordRow row;
  row.record = position.record;
  row.first = position.first;
  row.owner = trust.owner;
  row.disputed = !trust.counts();
  row.retracted = trust.retracted();
  row.withheld_by = trust.withheld_by;
  STELE_ASSIGN_OR_RETURN(row.superseded_by, ReadSuccessor(reader_, trust));
  const std::string first_key = ListKey(RecordsPrefix(), position);
  STELE_ASSIGN_OR_RETURN(const std::optional<std::string> first, index_.Get(first_key));
  if (!first) return DamagedIndexRow(first_key, "it is not there, as another row says");
  STELE_ASSIGN_OR_RETURN(const FirstValue value, DecodeFirst(*first, first_key));
  row.logged = value.logged;
  if (row.withheld_by) return row;
  const std::string body_key = BodyKey(position.record);
  STELE_ASSIGN_OR_RETURN(const std::optional<std::string> body, index_.Get(body_key));
  if (body) {
    STELE_ASSIGN_OR_RETURN(BodyValue read, DecodeBody(*body, body_key));
    row.kind = std::move(read.kind);
  }
  if (const std::optional<Digest> manifest = trust.manifest()) {
    STELE_ASSIGN_OR_RETURN(std::optional<TitleValue> title, ReadTitle(position.record, *manifest));
    if (title) std::tie(row.name, row.title) = std::tie(title->name, title->title);
  }
  return row;
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

absl::StatusOr<RunRow> IndexRowReader::ReadRunRow(const RecordPosition& position,
                                                  const RunValue& run) const {
  STELE_ASSIGN_OR_RETURN(const RecordTrust trust, ReadTrust(reader_, position.record));
  return ReadRunRow(position, run, trust);
}

absl::StatusOr<RunRow> IndexRowReader::ReadRunRow(const RecordPosition& position,
                                                  const RunValue& run,
                                                  const RecordTrust& trust) const {
  RunRow row;
  STELE_ASSIGN_OR_RETURN(row.record, ReadRecord(position, trust));
  row.implementation = run.implementation;
  row.workload = run.workload;
  row.protocol = run.protocol;
  row.environment = run.environment;
  row.status = run.status;
  row.measurement = {run.metric, run.value, run.unit};
  if (run.interval) row.confidence95 = {run.interval->first, run.interval->second};
  STELE_ASSIGN_OR_RETURN(row.cohort, ReadComparisonKey(position.record, run));
  return row;
}

}  // namespace stele::store
