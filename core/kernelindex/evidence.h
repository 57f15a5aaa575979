// The evidence level of a run: derived, never chosen, always with its reasons (formats §8, rules 28
// and 37). Pure over an EvidenceSource.
//
// A rerun serves one verification in the whole log: of those that cite it the first, in log order,
// that has no other fault. No other fault hangs on what others cite. So one run's level is found
// from the verifications about it, those that cite the same reruns, and (whose key spoke again?)
// the others about the records of those.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/kernelindex/evidence_source.h"

namespace stele::kernelindex {

enum class EvidenceLevel : uint8_t { kReported, kReproducible, kVerified, kReplicated };
std::string_view EvidenceLevelName(EvidenceLevel level);  // "reported", "reproducible", …

// Why a verification does not count: the first that applies, in this order.
namespace not_counted {
inline constexpr std::string_view kDisputed = "DISPUTED";
inline constexpr std::string_view kNotLatest =
    "NOT_LATEST";  // the key spoke again about the record
inline constexpr std::string_view kFailed = "OUTCOME_FAILED";
inline constexpr std::string_view kNotRunner = "NOT_RUNNER";  // an operator, not granted runner
inline constexpr std::string_view kNoRun = "NO_RUN";          // about no run that can be read
inline constexpr std::string_view kOwnRecord = "OWN_RECORD";  // its signer published the record
inline constexpr std::string_view kOwnImplementation = "OWN_IMPLEMENTATION";
inline constexpr std::string_view kRerunIsRecord = "RERUN_IS_RECORD";
inline constexpr std::string_view kRerunNotPublished = "RERUN_NOT_PUBLISHED";  // by one that counts
inline constexpr std::string_view kRerunRetracted = "RERUN_RETRACTED";
inline constexpr std::string_view kRerunNoRun = "RERUN_NO_RUN";  // withheld, missing, another kind
// The two runs do not both name the same one.
inline constexpr std::string_view kOtherImplementation = "RERUN_OTHER_IMPLEMENTATION";
inline constexpr std::string_view kOtherWorkload = "RERUN_OTHER_WORKLOAD";
inline constexpr std::string_view kOtherProtocol = "RERUN_OTHER_PROTOCOL";
inline constexpr std::string_view kRerunTaken =
    "RERUN_TAKEN";  // an earlier one that counts cites it
}  // namespace not_counted

// What speaks for the level, and what is missing for a higher one. Of a level from verified on the
// first reason is kCounted, and the verifications say the rest.
namespace level_reason {
inline constexpr std::string_view kCounted = "COUNTED_VERIFICATIONS";
inline constexpr std::string_view kRepository = "IMPLEMENTATION_REPOSITORY";
inline constexpr std::string_view kSource = "IMPLEMENTATION_SOURCE";
inline constexpr std::string_view kTimingSamples = "TIMING_RAW_SAMPLES";
inline constexpr std::string_view kSamples = "EVIDENCE_RAW_SAMPLES";
inline constexpr std::string_view kLogs = "EVIDENCE_LOGS";
inline constexpr std::string_view kNoImplementation = "NO_IMPLEMENTATION";  // the run names none
inline constexpr std::string_view kImplementationMissing = "IMPLEMENTATION_NOT_STORED";
inline constexpr std::string_view kWithoutSource = "IMPLEMENTATION_WITHOUT_SOURCE";
inline constexpr std::string_view kNoRawEvidence = "NO_RAW_EVIDENCE";
}  // namespace level_reason

struct JudgedVerification {
  LoggedVerification verification;
  std::string_view reason;  // one of not_counted; empty: it counts
  // The entry that counts or speaks in its stead: of NOT_LATEST the later one by the same key, of
  // RERUN_TAKEN the one that has the rerun.
  std::optional<EntryIndex> instead;
};

struct Evidence {
  EvidenceLevel level = EvidenceLevel::kReported;
  std::vector<std::string_view> reasons;          // of level_reason
  std::vector<JudgedVerification> verifications;  // every valid one about the run, ascending
};

// Nothing if the record is no run of the profile that can be read: withheld, missing, of another
// kind. Errors are the source's.
absl::StatusOr<std::optional<Evidence>> EvidenceOf(const EvidenceSource& source,
                                                   const Digest& record);

}  // namespace stele::kernelindex
