// What a server says is known about records: lists, histories, references, cohorts, evidence. It is
// derived from the log by that server and not proven: its reading, which an audit of the log checks
// in all that it rests on.
//
// Errors: the server's refusals (NOT_FOUND, INVALID_ARGUMENT, RESOURCE_EXHAUSTED); UNIMPLEMENTED by
// a server that has no such service; DATA_LOSS for an answer that cannot be; UNAVAILABLE and
// DEADLINE_EXCEEDED: it cannot be reached. May be used from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/connection.h"
#include "core/query/answers.h"

namespace stele::client {

// kernelindex::Evidence as the server words it.
struct EvidenceAnswer {
  struct Verification {
    EntryIndex index;
    KeyId signer;
    bool passed = false;
    Digest rerun;
    bool disputed = false;
    std::string not_counted;  // why; empty: it counts
    std::optional<EntryIndex> instead;
  };
  std::string level;
  std::vector<std::string> reasons;
  std::vector<Verification> verifications;
};

struct HistoryAnswer {
  Standing standing;
  std::optional<EvidenceAnswer> evidence;  // of a run that can be read
  Page<HistoryRow> entries;                // oldest first
};

class Queries {
 public:
  // Must outlive this.
  explicit Queries(const Connection& connection) : connection_(connection) {}

  absl::StatusOr<Page<RecordRow>> List(const ListFilter& filter, const PageRequest& page) const;
  absl::StatusOr<HistoryAnswer> HistoryOf(const Digest& subject, const PageRequest& page) const;
  // One for each, in order; any number of them.
  absl::StatusOr<std::vector<Standing>> StandingsOf(absl::Span<const Digest> records) const;
  absl::StatusOr<Page<ReferenceRow>> ReferencesTo(const Digest& target,
                                                  const PageRequest& page) const;
  // Of every ranked and every excluded record there is a run in it.
  absl::StatusOr<CohortAnswer> CohortOf(const Digest& run_or_key) const;
  absl::StatusOr<Page<RunRow>> ResultsFor(const Digest& workload, const PageRequest& page) const;
  absl::StatusOr<std::optional<EvidenceAnswer>> EvidenceOf(const Digest& record) const;

 private:
  const Connection& connection_;
};

}  // namespace stele::client
