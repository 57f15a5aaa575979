#include "core/kernelindex/evidence.h"

#include <array>
#include <utility>

#include "core/base/status_macros.h"
#include "core/kernelindex/verification_judge.h"

namespace stele::kernelindex {
namespace {

using Reasons = std::vector<std::string_view>;

// Is the source of this implementation to be had?
bool HasSource(const RecordFacts& facts, Reasons& reasons) {
  if (!facts.readable()) {
    reasons.push_back(level_reason::kImplementationMissing);
    return false;
  }
  const Implementation& implementation = facts.profile->implementation;
  if (implementation.repository) reasons.push_back(level_reason::kRepository);
  if (implementation.source) reasons.push_back(level_reason::kSource);
  if (implementation.repository || implementation.source) return true;
  reasons.push_back(level_reason::kWithoutSource);
  return false;
}

bool HasRawEvidence(const RawEvidence& raw, Reasons& reasons) {
  if (raw.timing_samples) reasons.push_back(level_reason::kTimingSamples);
  if (raw.samples) reasons.push_back(level_reason::kSamples);
  if (raw.logs) reasons.push_back(level_reason::kLogs);
  if (!raw.any()) reasons.push_back(level_reason::kNoRawEvidence);
  return raw.any();
}

absl::StatusOr<bool> IsReproducible(VerificationJudge& judge, const BenchmarkRun& run,
                                    Reasons& reasons) {
  bool source = false;
  if (run.implementation) {
    STELE_ASSIGN_OR_RETURN(const RecordFacts* facts, judge.FactsOf(*run.implementation));
    source = HasSource(*facts, reasons);
  } else {
    reasons.push_back(level_reason::kNoImplementation);
  }
  return HasRawEvidence(run.raw, reasons) && source;
}

EvidenceLevel LevelOf(size_t counted, bool reproducible) {
  if (counted > 1) return EvidenceLevel::kReplicated;
  if (counted == 1) return EvidenceLevel::kVerified;
  return reproducible ? EvidenceLevel::kReproducible : EvidenceLevel::kReported;
}

}  // namespace

std::string_view EvidenceLevelName(EvidenceLevel level) {
  static constexpr std::array<std::string_view, 4> kNames = {"reported", "reproducible", "verified",
                                                             "replicated"};
  return kNames[static_cast<size_t>(level)];
}

absl::StatusOr<std::optional<Evidence>> EvidenceOf(const EvidenceSource& source,
                                                   const Digest& record) {
  VerificationJudge judge(source);
  STELE_ASSIGN_OR_RETURN(const RecordFacts* facts, judge.FactsOf(record));
  const BenchmarkRun* run = RunIn(*facts);
  if (run == nullptr) return std::nullopt;

  Evidence evidence;
  STELE_ASSIGN_OR_RETURN(evidence.verifications, judge.JudgeAbout(record));
  // By different keys: of each only the latest can count.
  size_t counted = 0;
  for (const JudgedVerification& judged : evidence.verifications) {
    if (judged.reason.empty()) ++counted;
  }
  if (counted > 0) evidence.reasons.push_back(level_reason::kCounted);
  STELE_ASSIGN_OR_RETURN(const bool reproducible, IsReproducible(judge, *run, evidence.reasons));
  evidence.level = LevelOf(counted, reproducible);
  return evidence;
}

}  // namespace stele::kernelindex
