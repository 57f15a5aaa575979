// The limits of the derived index and its queries: limits.h goes on here, in the same namespace and
// under the same rules. Admission limits, all of them; listed by ServerService.GetServerInfo.
#pragma once

#include <cstddef>

namespace stele::limits {

// Of one page of an answer.
inline constexpr size_t kPageRows = 1000;          // a larger size is cut to it
inline constexpr size_t kDefaultPageRows = 20;     // where none is asked for
inline constexpr size_t kPageCandidates = 20'000;  // rows looked at for one page: then it ends

// Of a filter.
inline constexpr size_t kFilterWords = 16;       // of a name
inline constexpr size_t kFilterTextBytes = 500;  // of a name
inline constexpr size_t kPrefixWords = 64;  // that begin with a name's last word, all looked up

// What the index keeps of a record; what is longer is cut, or left out where that is said.
inline constexpr size_t kIndexedKindBytes = 100;
inline constexpr size_t kIndexedNameBytes = 500;  // of a name, of a title
inline constexpr size_t kIndexedWordBytes = 64;
inline constexpr size_t kIndexedWords = 64;           // of one manifest
inline constexpr size_t kIndexedPointerBytes = 1000;  // of one reference
inline constexpr size_t kIndexedMeasureBytes = 500;   // of a metric's key, unit, status

// Of a cohort that is ranked; a larger one is refused.
inline constexpr size_t kCohortRuns = 10'000;

// Of what a statement says, in a history.
inline constexpr size_t kHistoryRows = 256;          // of one page
inline constexpr size_t kHistoryEvidence = 16;       // links of one statement
inline constexpr size_t kHistoryTextBytes = 10'000;  // of one text

inline constexpr size_t kStandings = 256;  // records that one request asks about

// The thread that keeps the index.
inline constexpr size_t kIndexBatchEntries = 1024;
inline constexpr size_t kIndexBatchBytes = 4 * 1024 * 1024;  // rows that are not written yet

}  // namespace stele::limits
