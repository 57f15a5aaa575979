// Questions about records that the log's own rows do not answer: lists, references, cohorts,
// evidence. One moment: a reader of the log and a snapshot of the index, which is derived from the
// log and follows it.
//
// What is *listed* is as of `moment.applied`, the entries that the index has taken in. What is said
// about each (owner, disputed, retracted, withheld) is as of `moment.size`, the head. Content that
// is withheld counts as absent.
//
// Get one with Store::GetQueries (cheap, no I/O), use it for one answer, let it go: it pins files.
// Any thread.
//
// Errors of every method:
//   NOT_FOUND           the log knows no such record (NOT_FOUND), or what is asked for is withheld
//                       (WITHHELD); each method says when
//   INVALID_ARGUMENT    a filter or page token that cannot be (WRONG_VALUE, TOO_LONG), its pointer
//                       the name of the argument: /page_token, /name, /kind
//   RESOURCE_EXHAUSTED  more than a limit, which it names
//   DATA_LOSS           stored bytes do not verify. Of the index: `stele reindex` cures it
//   UNAVAILABLE         I/O: later
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "core/query/answers.h"

namespace stele::store {

class Queries {
 public:
  virtual ~Queries() = default;

  virtual const IndexMoment& moment() const = 0;

  // Newest first publication first; of one entry's, by digest.
  virtual absl::StatusOr<Page<RecordRow>> List(const ListFilter& filter,
                                               const PageRequest& page) const = 0;
  // Everything that valid entries say about a record, an artifact or any other digest; as of the
  // head. NOT_FOUND if no entry is about it.
  virtual absl::StatusOr<History> HistoryOf(const Digest& subject,
                                            const PageRequest& page) const = 0;
  // Of any digest: what was never published has the default.
  virtual absl::StatusOr<Standing> StandingOf(const Digest& record) const = 0;
  // What points at a digest, of records or artifacts, stored or not: newest first. Of one record
  // by the order of its RFC 8785 form.
  virtual absl::StatusOr<Page<ReferenceRow>> ReferencesTo(const Digest& target,
                                                          const PageRequest& page) const = 0;
  // The cohort with this comparison key, or that of this run, which need not be ranked in it.
  // NOT_FOUND if it is neither, or if the run has no cohort: withheld, its workload is not stored,
  // or it lacks what makes a key; the message says which. TOO_LARGE (RESOURCE_EXHAUSTED) if it has
  // more than limits::kCohortRuns members: no part of a ranking is one.
  virtual absl::StatusOr<CohortAnswer> CohortOf(const Digest& run_or_key) const = 0;
  // Every published run that names this workload, whether that is stored or not; newest first.
  virtual absl::StatusOr<Page<RunRow>> ResultsFor(const Digest& workload,
                                                  const PageRequest& page) const = 0;
  // The evidence level of a run with its reasons, by the verifications below moment().applied.
  // Nothing if the record is no run that can be read.
  virtual absl::StatusOr<std::optional<kernelindex::Evidence>> EvidenceOf(
      const Digest& record) const = 0;
};

}  // namespace stele::store
