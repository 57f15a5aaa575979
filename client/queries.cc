#include "client/queries.h"

#include <algorithm>
#include <utility>

#include "client/query_values.h"
#include "client/stubs.h"
#include "core/base/concat.h"
#include "core/base/query_limits.h"
#include "core/base/status_macros.h"

namespace stele::client {
namespace {

using Stub = v1::QueryService::Stub;

template <class Request>
void SetPage(const PageRequest& page, Request& request) {
  request.mutable_page()->set_size(static_cast<uint32_t>(page.size));
  request.mutable_page()->set_token(page.token);
}

// The rows of one page, each read by `from`.
template <class Row, class Response, class Messages, class From>
absl::StatusOr<Page<Row>> PageFrom(const Response& response, const Messages& messages, From from) {
  Page<Row> page;
  STELE_ASSIGN_OR_RETURN(page.moment, MomentFrom(response.moment()));
  for (const auto& message : messages) {
    STELE_ASSIGN_OR_RETURN(Row row, from(message));
    page.rows.push_back(std::move(row));
  }
  page.next_token = response.next_page_token();
  return page;
}

}  // namespace

absl::StatusOr<Page<RecordRow>> Queries::List(const ListFilter& filter,
                                              const PageRequest& page) const {
  v1::ListRecordsRequest request;
  if (filter.kind) request.set_kind(*filter.kind);
  request.set_name(filter.name);
  if (filter.publisher) request.set_publisher(std::string(filter.publisher->bytes()));
  if (filter.references) request.set_references(std::string(filter.references->bytes()));
  SetPage(page, request);
  v1::ListRecordsResponse response;
  STELE_RETURN_IF_ERROR(
      Call(connection_, *connection_.stubs().queries, &Stub::ListRecords, request, response));
  return PageFrom<RecordRow>(response, response.records(), RecordFrom);
}

absl::StatusOr<HistoryAnswer> Queries::HistoryOf(const Digest& subject,
                                                 const PageRequest& page) const {
  v1::GetHistoryRequest request;
  request.set_subject(std::string(subject.bytes()));
  SetPage(page, request);
  v1::GetHistoryResponse response;
  STELE_RETURN_IF_ERROR(
      Call(connection_, *connection_.stubs().queries, &Stub::GetHistory, request, response));
  HistoryAnswer answer;
  STELE_ASSIGN_OR_RETURN(answer.entries,
                         PageFrom<HistoryRow>(response, response.entries(), HistoryFrom));
  STELE_ASSIGN_OR_RETURN(answer.standing, StandingFrom(response.standing(), answer.entries.moment));
  if (answer.standing.record != subject) return Untrusted("the history of another record");
  if (response.has_evidence()) {
    STELE_ASSIGN_OR_RETURN(answer.evidence, EvidenceFrom(response.evidence()));
  }
  return answer;
}

absl::StatusOr<std::vector<Standing>> Queries::StandingsOf(absl::Span<const Digest> records) const {
  std::vector<Standing> standings;
  for (size_t at = 0; at < records.size(); at += limits::kStandings) {
    const absl::Span<const Digest> asked = records.subspan(at, limits::kStandings);
    v1::GetStandingsRequest request;
    for (const Digest& record : asked) request.add_records(std::string(record.bytes()));
    v1::GetStandingsResponse response;
    STELE_RETURN_IF_ERROR(
        Call(connection_, *connection_.stubs().queries, &Stub::GetStandings, request, response));
    STELE_ASSIGN_OR_RETURN(const IndexMoment moment, MomentFrom(response.moment()));
    if (static_cast<size_t>(response.standings_size()) != asked.size()) {
      return Untrusted("the server answered about another number of records than was asked");
    }
    for (size_t i = 0; i < asked.size(); ++i) {
      STELE_ASSIGN_OR_RETURN(Standing standing,
                             StandingFrom(response.standings(static_cast<int>(i)), moment));
      if (standing.record != asked[i]) return Untrusted("the standing of another record");
      standings.push_back(std::move(standing));
    }
  }
  return standings;
}

absl::StatusOr<Page<ReferenceRow>> Queries::ReferencesTo(const Digest& target,
                                                         const PageRequest& page) const {
  v1::ListReferencesRequest request;
  request.set_target(std::string(target.bytes()));
  SetPage(page, request);
  v1::ListReferencesResponse response;
  STELE_RETURN_IF_ERROR(
      Call(connection_, *connection_.stubs().queries, &Stub::ListReferences, request, response));
  return PageFrom<ReferenceRow>(response, response.references(), ReferenceFrom);
}

absl::StatusOr<CohortAnswer> Queries::CohortOf(const Digest& run_or_key) const {
  v1::GetCohortRequest request;
  request.set_run_or_key(std::string(run_or_key.bytes()));
  v1::GetCohortResponse response;
  STELE_RETURN_IF_ERROR(
      Call(connection_, *connection_.stubs().queries, &Stub::GetCohort, request, response));
  STELE_ASSIGN_OR_RETURN(CohortAnswer answer, CohortFrom(response));
  if (answer.asked ? *answer.asked != run_or_key : answer.key != run_or_key) {
    return Untrusted("the cohort of another run");
  }
  return answer;
}

absl::StatusOr<Page<RunRow>> Queries::ResultsFor(const Digest& workload,
                                                 const PageRequest& page) const {
  v1::ListResultsRequest request;
  request.set_workload(std::string(workload.bytes()));
  SetPage(page, request);
  v1::ListResultsResponse response;
  STELE_RETURN_IF_ERROR(
      Call(connection_, *connection_.stubs().queries, &Stub::ListResults, request, response));
  return PageFrom<RunRow>(response, response.runs(), RunFrom);
}

absl::StatusOr<std::optional<EvidenceAnswer>> Queries::EvidenceOf(const Digest& record) const {
  v1::GetEvidenceRequest request;
  request.set_record(std::string(record.bytes()));
  v1::GetEvidenceResponse response;
  STELE_RETURN_IF_ERROR(
      Call(connection_, *connection_.stubs().queries, &Stub::GetEvidence, request, response));
  if (!response.has_evidence()) return std::optional<EvidenceAnswer>();
  STELE_ASSIGN_OR_RETURN(EvidenceAnswer answer, EvidenceFrom(response.evidence()));
  return std::optional(std::move(answer));
}

}  // namespace stele::client
