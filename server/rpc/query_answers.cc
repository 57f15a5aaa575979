#include "server/rpc/query_answers.h"

#include <optional>
#include <utility>

#include "core/base/limits.h"
#include "core/base/query_limits.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "server/base/cat.h"
#include "server/rpc/query_fill.h"
#include "server/rpc/record_answers.h"

namespace stele::server {
namespace {

PageRequest PageOf(const v1::PageRequest& page) {
  return {.size = page.size(), .token = page.token()};
}

absl::StatusOr<std::optional<Digest>> OptionalDigest(const std::string& bytes,
                                                     std::string_view pointer) {
  if (bytes.empty()) return std::optional<Digest>();
  STELE_ASSIGN_OR_RETURN(const Digest digest, DigestField(bytes, pointer));
  return std::optional(digest);
}

// Pages and cohorts are bounded in rows; a row's texts are bounded too, but many long ones could
// still be more than a client takes.
absl::Status CheckSize(const google::protobuf::Message& response) {
  if (response.ByteSizeLong() <= limits::kMessageBytes) return absl::OkStatus();
  return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "message_bytes",
                     limits::kMessageBytes, "the answer does not fit into one message");
}

}  // namespace

absl::Status AnswerListRecords(const store::Queries& queries, const v1::ListRecordsRequest& request,
                               v1::ListRecordsResponse& response) {
  ListFilter filter{.name = request.name()};
  if (request.has_kind()) filter.kind = request.kind();
  STELE_ASSIGN_OR_RETURN(filter.publisher, OptionalDigest(request.publisher(), "/publisher"));
  STELE_ASSIGN_OR_RETURN(filter.references, OptionalDigest(request.references(), "/references"));
  STELE_ASSIGN_OR_RETURN(Page<RecordRow> page, queries.List(filter, PageOf(request.page())));
  Fill(page.moment, *response.mutable_moment());
  for (const RecordRow& row : page.rows) Fill(row, *response.add_records());
  response.set_next_page_token(std::move(page.next_token));
  return CheckSize(response);
}

absl::Status AnswerGetHistory(const store::Queries& queries, const v1::GetHistoryRequest& request,
                              v1::GetHistoryResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest subject, DigestField(request.subject(), "/subject"));
  STELE_ASSIGN_OR_RETURN(History history, queries.HistoryOf(subject, PageOf(request.page())));
  Fill(history.entries.moment, *response.mutable_moment());
  Fill(history.standing, *response.mutable_standing());
  if (history.evidence) Fill(*history.evidence, *response.mutable_evidence());
  for (const HistoryRow& row : history.entries.rows) Fill(row, *response.add_entries());
  response.set_next_page_token(std::move(history.entries.next_token));
  return CheckSize(response);
}

absl::Status AnswerGetStandings(const store::Queries& queries,
                                const v1::GetStandingsRequest& request,
                                v1::GetStandingsResponse& response) {
  if (static_cast<size_t>(request.records_size()) > limits::kStandings) {
    return RefuseLimit(absl::StatusCode::kResourceExhausted, reason::kTooLarge, "standings",
                       limits::kStandings,
                       Cat("one request asks about at most ", limits::kStandings, " records"));
  }
  Fill(queries.moment(), *response.mutable_moment());
  for (int i = 0; i < request.records_size(); ++i) {
    STELE_ASSIGN_OR_RETURN(const Digest record,
                           DigestField(request.records(i), Cat("/records/", i)));
    STELE_ASSIGN_OR_RETURN(const Standing standing, queries.StandingOf(record));
    Fill(standing, *response.add_standings());
  }
  return CheckSize(response);
}

absl::Status AnswerListReferences(const store::Queries& queries,
                                  const v1::ListReferencesRequest& request,
                                  v1::ListReferencesResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest target, DigestField(request.target(), "/target"));
  STELE_ASSIGN_OR_RETURN(Page<ReferenceRow> page,
                         queries.ReferencesTo(target, PageOf(request.page())));
  Fill(page.moment, *response.mutable_moment());
  for (const ReferenceRow& row : page.rows) Fill(row, *response.add_references());
  response.set_next_page_token(std::move(page.next_token));
  return CheckSize(response);
}

absl::Status AnswerGetCohort(const store::Queries& queries, const v1::GetCohortRequest& request,
                             v1::GetCohortResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest asked, DigestField(request.run_or_key(), "/run_or_key"));
  STELE_ASSIGN_OR_RETURN(const CohortAnswer answer, queries.CohortOf(asked));
  Fill(answer, response);
  return CheckSize(response);
}

absl::Status AnswerListResults(const store::Queries& queries, const v1::ListResultsRequest& request,
                               v1::ListResultsResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest workload, DigestField(request.workload(), "/workload"));
  STELE_ASSIGN_OR_RETURN(Page<RunRow> page, queries.ResultsFor(workload, PageOf(request.page())));
  Fill(page.moment, *response.mutable_moment());
  for (const RunRow& row : page.rows) Fill(row, *response.add_runs());
  response.set_next_page_token(std::move(page.next_token));
  return CheckSize(response);
}

absl::Status AnswerGetEvidence(const store::Queries& queries, const v1::GetEvidenceRequest& request,
                               v1::GetEvidenceResponse& response) {
  STELE_ASSIGN_OR_RETURN(const Digest record, DigestField(request.record(), "/record"));
  STELE_ASSIGN_OR_RETURN(const auto evidence, queries.EvidenceOf(record));
  Fill(queries.moment(), *response.mutable_moment());
  if (evidence) Fill(*evidence, *response.mutable_evidence());
  return CheckSize(response);
}

}  // namespace stele::server
