#include "server/rpc/query_fill.h"

#include <optional>
#include <string>

namespace stele::server {
namespace {

std::string Bytes(const Digest& digest) { return std::string(digest.bytes()); }
std::string Bytes(const std::optional<Digest>& digest) {
  return digest ? Bytes(*digest) : std::string();
}

void Fill(const RetractionRow& row, v1::Retracted& out) {
  out.set_index(row.index.value());
  out.set_signer(Bytes(row.signer));
  out.set_logged_ms(row.logged.value());
  out.set_reason(row.reason);
  out.set_superseded_by(Bytes(row.superseded_by));
  for (const Digest& next : row.chain) out.add_chain(Bytes(next));
  out.set_chain_end(std::string(ChainEndName(row.chain_end)));
}

void FillSaid(const HistorySaid& said, v1::HistoryRow& out) {
  out.set_manifest(Bytes(said.manifest));
  out.set_media_type(said.media_type);
  if (said.bytes) out.set_bytes(*said.bytes);
  out.set_outcome(said.outcome);
  out.set_rerun(Bytes(said.rerun));
  if (said.observed) {
    v1::Observed& observed = *out.mutable_observed();
    observed.set_metric(said.observed->metric);
    observed.set_statistic(said.observed->statistic);
    observed.set_unit(said.observed->unit);
    observed.set_value(said.observed->value);
  }
  out.set_environment(Bytes(said.environment));
  out.set_topic(said.topic);
  out.set_body(said.body);
  for (const Evidence& link : said.evidence) {
    v1::Link& to = *out.add_evidence();
    to.set_uri(link.uri);
    to.set_digest(Bytes(link.digest));
  }
  out.set_evidence_count(said.evidence_count);
  out.set_reason(said.reason);
  out.set_superseded_by(Bytes(said.superseded_by));
  out.set_state(said.state);
}

}  // namespace

void Fill(const IndexMoment& moment, v1::IndexMoment& out) {
  out.set_applied(moment.applied.value());
  out.set_tree_size(moment.size.value());
  out.set_state(std::string(IndexStateName(moment.state)));
}

void Fill(const RecordRow& row, v1::RecordRow& out) {
  out.set_record(Bytes(row.record));
  out.set_kind(row.kind);
  out.set_name(row.name);
  out.set_title(row.title);
  out.set_first(row.first.value());
  out.set_logged_ms(row.logged.value());
  out.set_owner(Bytes(row.owner));
  out.set_disputed(row.disputed);
  out.set_retracted(row.retracted);
  out.set_superseded_by(Bytes(row.superseded_by));
  if (row.withheld_by) out.set_withheld_by(row.withheld_by->value());
}

void Fill(const Standing& standing, v1::Standing& out) {
  out.set_record(Bytes(standing.record));
  out.set_published(standing.published);
  if (standing.first) out.set_first(standing.first->value());
  out.set_owner(Bytes(standing.owner));
  out.set_disputed(standing.disputed);
  if (standing.retraction) Fill(*standing.retraction, *out.mutable_retraction());
  for (const KeyId& key : standing.withdrawn_by) out.add_withdrawn_by(Bytes(key));
  if (standing.withheld_by) out.set_withheld_by(standing.withheld_by->value());
}

void Fill(const HistoryRow& row, v1::HistoryRow& out) {
  out.set_index(row.index.value());
  out.set_type(std::string(StatementTypeName(row.type)));
  out.set_predicate_type(row.predicate_type);
  out.set_signer(Bytes(row.signer));
  out.set_signer_name(row.signer_name);
  out.set_authority(row.authority.value());
  out.set_logged_ms(row.logged.value());
  if (row.disputed_by) out.set_disputed_by(row.disputed_by->value());
  if (row.withheld_by) out.set_withheld_by(row.withheld_by->value());
  FillSaid(row.said, out);
}

void Fill(const ReferenceRow& row, v1::ReferenceRow& out) {
  Fill(row.from, *out.mutable_from());
  out.set_pointer(row.pointer);
  out.set_artifact(row.artifact);
}

void Fill(const RunRow& row, v1::RunRow& out) {
  Fill(row.record, *out.mutable_record());
  out.set_implementation(Bytes(row.implementation));
  out.set_workload(Bytes(row.workload));
  out.set_protocol(Bytes(row.protocol));
  out.set_environment(Bytes(row.environment));
  out.set_status(row.status);
  out.set_measurement(row.measurement.key);
  if (row.measurement.value) out.set_value(*row.measurement.value);
  out.set_unit(row.measurement.unit);
  if (row.confidence95) {
    out.set_low(row.confidence95->low);
    out.set_high(row.confidence95->high);
  }
  out.set_cohort(Bytes(row.cohort));
}

void Fill(const CohortAnswer& answer, v1::GetCohortResponse& out) {
  Fill(answer.moment, *out.mutable_moment());
  out.set_key(Bytes(answer.key));
  out.set_asked(Bytes(answer.asked));
  out.set_source_native(answer.cohort.source_native);
  for (const kernelindex::RankedRun& run : answer.cohort.ranked) {
    v1::RankedRun& to = *out.add_ranked();
    to.set_rank(run.rank);
    to.set_record(Bytes(run.record));
    to.set_value(run.value);
    if (run.difference) to.set_difference(*run.difference);
    if (run.ratio) to.set_ratio(*run.ratio);
  }
  for (const kernelindex::ExcludedRun& run : answer.cohort.excluded) {
    v1::ExcludedRun& to = *out.add_excluded();
    to.set_record(Bytes(run.record));
    for (const std::string& reason : run.reasons) to.add_reasons(reason);
  }
  for (const RunRow& run : answer.runs) Fill(run, *out.add_runs());
}

void Fill(const kernelindex::Evidence& evidence, v1::EvidenceLevel& out) {
  out.set_level(std::string(kernelindex::EvidenceLevelName(evidence.level)));
  for (std::string_view reason : evidence.reasons) out.add_reasons(std::string(reason));
  for (const kernelindex::JudgedVerification& judged : evidence.verifications) {
    v1::Verification& to = *out.add_verifications();
    to.set_index(judged.verification.index.value());
    to.set_signer(Bytes(judged.verification.signer));
    to.set_passed(judged.verification.passed);
    to.set_rerun(Bytes(judged.verification.rerun));
    to.set_disputed(judged.verification.disputed);
    to.set_not_counted(std::string(judged.reason));
    if (judged.instead) to.set_instead(judged.instead->value());
  }
}

}  // namespace stele::server
