#include "client/query_values.h"

#include <optional>
#include <string>
#include <string_view>

#include "client/status.h"
#include "core/base/concat.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

absl::StatusOr<Digest> Whole(const std::string& bytes, std::string_view what) {
  const std::optional<Digest> digest = Digest::FromBytes(bytes);
  if (digest) return *digest;
  return Untrusted(Concat(what, " of ", bytes.size(), " bytes: a digest has 32"));
}

absl::StatusOr<std::optional<Digest>> Optional(const std::string& bytes, std::string_view what) {
  if (bytes.empty()) return std::optional<Digest>();
  STELE_ASSIGN_OR_RETURN(const Digest digest, Whole(bytes, what));
  return std::optional(digest);
}

absl::StatusOr<StatementType> TypeNamed(const std::string& name) {
  for (int type = 0; type <= static_cast<int>(StatementType::kForeign); ++type) {
    if (name == StatementTypeName(static_cast<StatementType>(type))) {
      return static_cast<StatementType>(type);
    }
  }
  return Untrusted(Concat("an entry of the type ", name, ", which there is not"));
}

absl::StatusOr<ChainEnd> ChainEndNamed(const std::string& name) {
  for (ChainEnd end : {ChainEnd::kEnd, ChainEnd::kCycle, ChainEnd::kLimit}) {
    if (name == ChainEndName(end)) return end;
  }
  return Untrusted(Concat("a chain of successors that ends in ", name));
}

absl::StatusOr<RetractionRow> RetractionFrom(const v1::Retracted& message) {
  RetractionRow row;
  row.index = EntryIndex(message.index());
  STELE_ASSIGN_OR_RETURN(row.signer, Whole(message.signer(), "a retraction's signer"));
  row.logged = TimeMs(message.logged_ms());
  row.reason = message.reason();
  STELE_ASSIGN_OR_RETURN(row.superseded_by, Optional(message.superseded_by(), "a successor"));
  for (const std::string& next : message.chain()) {
    STELE_ASSIGN_OR_RETURN(const Digest digest, Whole(next, "a successor"));
    row.chain.push_back(digest);
  }
  STELE_ASSIGN_OR_RETURN(row.chain_end, ChainEndNamed(message.chain_end()));
  return row;
}

absl::StatusOr<HistorySaid> SaidFrom(const v1::HistoryRow& message) {
  HistorySaid said;
  STELE_ASSIGN_OR_RETURN(said.manifest, Optional(message.manifest(), "a manifest"));
  said.media_type = message.media_type();
  if (message.has_bytes()) said.bytes = message.bytes();
  said.outcome = message.outcome();
  STELE_ASSIGN_OR_RETURN(said.rerun, Optional(message.rerun(), "a rerun"));
  if (message.has_observed()) {
    const v1::Observed& observed = message.observed();
    said.observed =
        Observation{observed.metric(), observed.statistic(), observed.unit(), observed.value()};
  }
  STELE_ASSIGN_OR_RETURN(said.environment, Optional(message.environment(), "an environment"));
  said.topic = message.topic();
  said.body = message.body();
  for (const v1::Link& link : message.evidence()) {
    STELE_ASSIGN_OR_RETURN(const auto digest, Optional(link.digest(), "evidence"));
    said.evidence.push_back({link.uri(), digest});
  }
  said.evidence_count = message.evidence_count();
  said.reason = message.reason();
  STELE_ASSIGN_OR_RETURN(said.superseded_by, Optional(message.superseded_by(), "a successor"));
  said.state = message.state();
  return said;
}

std::optional<EntryIndex> IndexIf(bool there, uint64_t index) {
  return there ? std::optional(EntryIndex(index)) : std::nullopt;
}

}  // namespace

absl::StatusOr<IndexMoment> MomentFrom(const v1::IndexMoment& message) {
  const std::optional<IndexState> state = ParseIndexState(message.state());
  if (!state) return Untrusted(Concat("an index whose state is ", message.state()));
  if (message.applied() > message.tree_size()) {
    return Untrusted(
        Concat("an index of ", message.applied(), " entries of a log of ", message.tree_size()));
  }
  return IndexMoment{TreeSize(message.applied()), TreeSize(message.tree_size()), *state};
}

absl::StatusOr<RecordRow> RecordFrom(const v1::RecordRow& message) {
  RecordRow row;
  STELE_ASSIGN_OR_RETURN(row.record, Whole(message.record(), "a record"));
  row.kind = message.kind();
  row.name = message.name();
  row.title = message.title();
  row.first = EntryIndex(message.first());
  row.logged = TimeMs(message.logged_ms());
  STELE_ASSIGN_OR_RETURN(row.owner, Optional(message.owner(), "an owner"));
  row.disputed = message.disputed();
  row.retracted = message.retracted();
  STELE_ASSIGN_OR_RETURN(row.superseded_by, Optional(message.superseded_by(), "a successor"));
  row.withheld_by = IndexIf(message.has_withheld_by(), message.withheld_by());
  return row;
}

absl::StatusOr<Standing> StandingFrom(const v1::Standing& message, const IndexMoment& moment) {
  Standing standing;
  standing.moment = moment;
  STELE_ASSIGN_OR_RETURN(standing.record, Whole(message.record(), "a record"));
  standing.published = message.published();
  standing.first = IndexIf(message.has_first(), message.first());
  STELE_ASSIGN_OR_RETURN(standing.owner, Optional(message.owner(), "an owner"));
  standing.disputed = message.disputed();
  if (message.has_retraction()) {
    STELE_ASSIGN_OR_RETURN(standing.retraction, RetractionFrom(message.retraction()));
  }
  for (const std::string& key : message.withdrawn_by()) {
    STELE_ASSIGN_OR_RETURN(const KeyId id, Whole(key, "a key id"));
    standing.withdrawn_by.push_back(id);
  }
  standing.withheld_by = IndexIf(message.has_withheld_by(), message.withheld_by());
  return standing;
}

absl::StatusOr<HistoryRow> HistoryFrom(const v1::HistoryRow& message) {
  HistoryRow row;
  row.index = EntryIndex(message.index());
  STELE_ASSIGN_OR_RETURN(row.type, TypeNamed(message.type()));
  row.predicate_type = message.predicate_type();
  STELE_ASSIGN_OR_RETURN(row.signer, Whole(message.signer(), "a signer"));
  row.signer_name = message.signer_name();
  row.authority = EventIndex(message.authority());
  row.logged = TimeMs(message.logged_ms());
  row.disputed_by = IndexIf(message.has_disputed_by(), message.disputed_by());
  row.withheld_by = IndexIf(message.has_withheld_by(), message.withheld_by());
  STELE_ASSIGN_OR_RETURN(row.said, SaidFrom(message));
  return row;
}

absl::StatusOr<ReferenceRow> ReferenceFrom(const v1::ReferenceRow& message) {
  ReferenceRow row;
  STELE_ASSIGN_OR_RETURN(row.from, RecordFrom(message.from()));
  row.pointer = message.pointer();
  row.artifact = message.artifact();
  return row;
}

absl::StatusOr<RunRow> RunFrom(const v1::RunRow& message) {
  RunRow row;
  STELE_ASSIGN_OR_RETURN(row.record, RecordFrom(message.record()));
  STELE_ASSIGN_OR_RETURN(row.implementation, Optional(message.implementation(), "a reference"));
  STELE_ASSIGN_OR_RETURN(row.workload, Optional(message.workload(), "a reference"));
  STELE_ASSIGN_OR_RETURN(row.protocol, Optional(message.protocol(), "a reference"));
  STELE_ASSIGN_OR_RETURN(row.environment, Optional(message.environment(), "a reference"));
  row.status = message.status();
  row.measurement.key = message.measurement();
  if (message.has_value()) row.measurement.value = message.value();
  row.measurement.unit = message.unit();
  if (message.has_low() && message.has_high()) {
    row.confidence95 = kernelindex::Interval{message.low(), message.high()};
  }
  STELE_ASSIGN_OR_RETURN(row.cohort, Optional(message.cohort(), "a comparison key"));
  return row;
}

absl::StatusOr<CohortAnswer> CohortFrom(const v1::GetCohortResponse& message) {
  CohortAnswer answer;
  STELE_ASSIGN_OR_RETURN(answer.moment, MomentFrom(message.moment()));
  STELE_ASSIGN_OR_RETURN(answer.key, Whole(message.key(), "a comparison key"));
  STELE_ASSIGN_OR_RETURN(answer.asked, Optional(message.asked(), "a run"));
  for (const v1::RunRow& run : message.runs()) {
    STELE_ASSIGN_OR_RETURN(RunRow row, RunFrom(run));
    if (!answer.runs.empty() && !(answer.runs.back().record.record < row.record.record)) {
      return Untrusted("the members of a cohort are not in order");
    }
    answer.runs.push_back(std::move(row));
  }
  answer.cohort.source_native = message.source_native();
  for (const v1::RankedRun& run : message.ranked()) {
    kernelindex::RankedRun ranked{.rank = run.rank(), .value = run.value()};
    STELE_ASSIGN_OR_RETURN(ranked.record, Whole(run.record(), "a run"));
    if (run.has_difference()) ranked.difference = run.difference();
    if (run.has_ratio()) ranked.ratio = run.ratio();
    if (answer.Find(ranked.record) == nullptr) return Untrusted("a ranked run is no member");
    answer.cohort.ranked.push_back(ranked);
  }
  for (const v1::ExcludedRun& run : message.excluded()) {
    STELE_ASSIGN_OR_RETURN(const Digest record, Whole(run.record(), "a run"));
    if (answer.Find(record) == nullptr) return Untrusted("an excluded run is no member");
    answer.cohort.excluded.push_back({record, {run.reasons().begin(), run.reasons().end()}});
  }
  return answer;
}

absl::StatusOr<EvidenceAnswer> EvidenceFrom(const v1::EvidenceLevel& message) {
  EvidenceAnswer answer;
  answer.level = message.level();
  answer.reasons.assign(message.reasons().begin(), message.reasons().end());
  for (const v1::Verification& judged : message.verifications()) {
    EvidenceAnswer::Verification row;
    row.index = EntryIndex(judged.index());
    STELE_ASSIGN_OR_RETURN(row.signer, Whole(judged.signer(), "a signer"));
    row.passed = judged.passed();
    STELE_ASSIGN_OR_RETURN(row.rerun, Whole(judged.rerun(), "a rerun"));
    row.disputed = judged.disputed();
    row.not_counted = judged.not_counted();
    row.instead = IndexIf(judged.has_instead(), judged.instead());
    answer.verifications.push_back(std::move(row));
  }
  return answer;
}

}  // namespace stele::client
