#include "store/index/answer_cohort.h"

#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/query_limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/index/index_keys.h"
#include "store/index/row_reader.h"

namespace stele::store {
namespace {

absl::Status NoCohort(const Digest& digest, std::string_view reason, std::string_view why) {
  return Refuse(absl::StatusCode::kNotFound, reason, "", Concat(digest.ToText(), " ", why));
}

class CohortReader {
 public:
  explicit CohortReader(const QueryScope& scope)
      : scope_(scope), rows_(scope.reader, scope.index) {}

  absl::StatusOr<CohortAnswer> Answer(const Digest& run_or_key) {
    CohortAnswer answer;
    answer.moment = scope_.moment;
    answer.key = run_or_key;
    STELE_ASSIGN_OR_RETURN(const bool is_key, HasMembers(run_or_key));
    if (!is_key) {
      STELE_ASSIGN_OR_RETURN(answer.key, KeyOfRun(run_or_key));
      answer.asked = run_or_key;
    }
    STELE_RETURN_IF_ERROR(ReadMembers(answer.key));
    STELE_ASSIGN_OR_RETURN(answer.runs, rows_.ReadRunRows(records_, runs_));
    if (answer.runs.empty()) {
      return NoCohort(answer.key, reason::kWithheld,
                      "is the key of runs that are withheld, or whose workload is");
    }
    std::vector<kernelindex::CohortMember> members;
    for (size_t i = 0; i < runs_.size(); ++i) {
      members.push_back(MemberOf(answer.runs[i], runs_[i]));
    }
    answer.cohort = kernelindex::RankCohort(members);
    return answer;
  }

 private:
  absl::StatusOr<bool> HasMembers(const Digest& key) const {
    const std::string prefix = CohortPrefix(key);
    const std::unique_ptr<IndexCursor> cursor = scope_.index.NewCursor();
    cursor->Seek(prefix);
    const bool found = cursor->valid() && cursor->key().starts_with(prefix);
    STELE_RETURN_IF_ERROR(cursor->status());
    return found;
  }

  absl::StatusOr<Digest> KeyOfRun(const Digest& record) const {
    if (rows_.Withheld(record)) {
      return NoCohort(record, reason::kWithheld, "is withheld, so it is in no cohort");
    }
    STELE_ASSIGN_OR_RETURN(const std::optional<RunValue> run, rows_.ReadRun(record));
    if (!run) {
      return NoCohort(record, reason::kNotFound,
                      Concat("is no comparison key, and no run that this log has", Lag()));
    }
    STELE_ASSIGN_OR_RETURN(const std::optional<Digest> key, rows_.ReadComparisonKey(record, *run));
    if (key) return *key;
    if (!run->workload || !run->protocol || !run->environment) {
      return NoCohort(record, reason::kNotFound,
                      "names no workload, protocol or environment, so it has no cohort");
    }
    const bool withheld = rows_.Withheld(*run->workload);
    return NoCohort(record, withheld ? reason::kWithheld : reason::kNotFound,
                    Concat("has no cohort: its workload ", run->workload->ToText(),
                           withheld ? " is withheld" : " is not stored as one" + Lag()));
  }

  // What is not known yet may be a moment later.
  std::string Lag() const {
    const IndexMoment& moment = scope_.moment;
    if (moment.applied.value() >= moment.size.value()) return "";
    return Concat(" (the index has taken in ", moment.applied.value(), " of ", moment.size.value(),
                  " entries)");
  }

  // Ascending by record.
  absl::Status ReadMembers(const Digest& key) {
    const std::string prefix = CohortPrefix(key);
    size_t seen = 0;
    return VisitPrefix(
        scope_.index, prefix, [&](std::string_view row, std::string_view) -> absl::Status {
          const std::optional<Digest> record = Digest::FromBytes(row.substr(prefix.size()));
          if (!record) return DamagedIndexRow(row, "its key is none");
          if (++seen > limits::kCohortRuns) return TooMany(key);
          return ReadMember(*record);
        });
  }

  absl::Status ReadMember(const Digest& record) {
    STELE_ASSIGN_OR_RETURN(std::optional<RunValue> run, rows_.ReadRun(record));
    if (!run || (run->workload && rows_.Withheld(*run->workload))) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(RecordTrust trust, ReadTrust(scope_.reader, record));
    if (!trust.published()) return absl::OkStatus();
    const RecordPosition position{trust.publications.rows.front().index, record};
    if (!rows_.Applied(position.first)) return absl::OkStatus();
    records_.push_back({position, std::move(trust)});
    runs_.push_back(*std::move(run));
    return absl::OkStatus();
  }

  static kernelindex::CohortMember MemberOf(const RunRow& row, const RunValue& run) {
    return {.record = row.record.record,
            .status = run.status,
            .value = run.value,
            .confidence95 = row.confidence95,
            .source_native = run.source_native,
            .retracted = row.record.retracted,
            .superseded = row.record.superseded_by.has_value(),
            .disputed = row.record.disputed};
  }

  static absl::Status TooMany(const Digest& key) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "cohort_runs",
                       limits::kCohortRuns,
                       Concat("the cohort ", key.ToText(), " has more than ", limits::kCohortRuns,
                              " runs, the most that are ranked"));
  }

  const QueryScope& scope_;
  const IndexRowReader rows_;
  // The members so far: runs_[i] is records_[i].
  std::vector<IndexRowReader::Known> records_;
  std::vector<RunValue> runs_;
};

}  // namespace

absl::StatusOr<CohortAnswer> AnswerCohort(const QueryScope& scope, const Digest& run_or_key) {
  return CohortReader(scope).Answer(run_or_key);
}

}  // namespace stele::store
