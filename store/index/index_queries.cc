#include "store/index/index_queries.h"

#include <utility>

#include "core/base/status_macros.h"
#include "store/index/answer_cohort.h"
#include "store/index/history_reader.h"
#include "store/index/list_records.h"
#include "store/index/log_evidence.h"
#include "store/index/trust.h"

namespace stele::store {
namespace {

class IndexQueries final : public Queries {
 public:
  IndexQueries(std::shared_ptr<const Reader> reader, std::shared_ptr<const IndexSnapshot> index,
               IndexState state)
      : reader_(std::move(reader)),
        index_(std::move(index)),
        moment_{index_->position().applied, reader_->head().size, state} {}

  const IndexMoment& moment() const override { return moment_; }

  absl::StatusOr<Page<RecordRow>> List(const ListFilter& filter,
                                       const PageRequest& page) const override {
    return ListRecords(scope(), filter, page);
  }
  absl::StatusOr<History> HistoryOf(const Digest& subject, const PageRequest& page) const override {
    return ReadHistory(scope(), subject, page);
  }
  absl::StatusOr<Standing> StandingOf(const Digest& record) const override {
    STELE_ASSIGN_OR_RETURN(Standing standing, ReadStanding(*reader_, record));
    standing.moment = moment_;
    return standing;
  }
  absl::StatusOr<Page<ReferenceRow>> ReferencesTo(const Digest& target,
                                                  const PageRequest& page) const override {
    return ListReferences(scope(), target, page);
  }
  absl::StatusOr<CohortAnswer> CohortOf(const Digest& run_or_key) const override {
    return AnswerCohort(scope(), run_or_key);
  }
  absl::StatusOr<Page<RunRow>> ResultsFor(const Digest& workload,
                                          const PageRequest& page) const override {
    return ListResults(scope(), workload, page);
  }
  absl::StatusOr<std::optional<kernelindex::Evidence>> EvidenceOf(
      const Digest& record) const override {
    return kernelindex::EvidenceOf(LogEvidence(*reader_, *index_), record);
  }

 private:
  QueryScope scope() const { return {*reader_, *index_, moment_}; }

  const std::shared_ptr<const Reader> reader_;
  const std::shared_ptr<const IndexSnapshot> index_;
  const IndexMoment moment_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const Queries>> MakeQueries(
    std::shared_ptr<const Reader> reader, std::shared_ptr<const IndexSnapshot> index,
    IndexState state) {
  if (index->position().applied > reader->head().size) {
    return absl::UnavailableError("the log is being reopened; try again in a moment");
  }
  return std::make_shared<IndexQueries>(std::move(reader), std::move(index), state);
}

}  // namespace stele::store
