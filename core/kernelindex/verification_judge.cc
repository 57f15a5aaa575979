#include "core/kernelindex/verification_judge.h"

#include <utility>

#include "core/base/status_macros.h"

namespace stele::kernelindex {
namespace {

bool BothName(const std::optional<Digest>& a, const std::optional<Digest>& b) {
  return a.has_value() && a == b;
}

std::string_view CompareRuns(const BenchmarkRun& run, const BenchmarkRun& rerun) {
  if (!BothName(run.implementation, rerun.implementation)) return not_counted::kOtherImplementation;
  if (!BothName(run.workload, rerun.workload)) return not_counted::kOtherWorkload;
  if (!BothName(run.protocol, rerun.protocol)) return not_counted::kOtherProtocol;
  return {};
}

}  // namespace

const BenchmarkRun* RunIn(const RecordFacts& facts) {
  return facts.readable() && facts.profile->run ? &*facts.profile->run : nullptr;
}

absl::StatusOr<const RecordFacts*> VerificationJudge::FactsOf(const Digest& record) {
  if (const auto known = facts_.find(record); known != facts_.end()) return known->second.get();
  STELE_ASSIGN_OR_RETURN(RecordFacts facts, source_.FactsOf(record));
  auto kept = std::make_unique<const RecordFacts>(std::move(facts));
  return facts_.emplace(record, std::move(kept)).first->second.get();
}

absl::StatusOr<const VerificationJudge::About*> VerificationJudge::AboutOf(const Digest& record) {
  if (const auto known = about_.find(record); known != about_.end()) return known->second.get();
  auto about = std::make_unique<About>();
  STELE_ASSIGN_OR_RETURN(about->all, source_.VerificationsAbout(record));
  for (const LoggedVerification& verification : about->all) {
    if (!verification.disputed) about->latest[verification.signer] = verification.index;
  }
  return about_.emplace(record, std::move(about)).first->second.get();
}

absl::StatusOr<std::vector<JudgedVerification>> VerificationJudge::JudgeAbout(
    const Digest& record) {
  STELE_ASSIGN_OR_RETURN(const About* about, AboutOf(record));
  std::vector<JudgedVerification> judged;
  for (const LoggedVerification& verification : about->all) {
    STELE_ASSIGN_OR_RETURN(JudgedVerification next, Judge(verification));
    judged.push_back(std::move(next));
  }
  return judged;
}

absl::StatusOr<JudgedVerification> VerificationJudge::Judge(
    const LoggedVerification& verification) {
  STELE_ASSIGN_OR_RETURN(JudgedVerification judged, JudgeAlone(verification));
  if (!judged.reason.empty()) return judged;
  STELE_ASSIGN_OR_RETURN(const std::optional<EntryIndex> taker, TakerOf(verification.rerun));
  if (taker && *taker < verification.index) {
    judged.reason = not_counted::kRerunTaken;
    judged.instead = taker;
  }
  return judged;
}

absl::StatusOr<std::optional<EntryIndex>> VerificationJudge::TakerOf(const Digest& rerun) {
  if (const auto known = takers_.find(rerun); known != takers_.end()) return known->second;
  STELE_ASSIGN_OR_RETURN(const std::vector<LoggedVerification> citing,
                         source_.VerificationsCiting(rerun));
  std::optional<EntryIndex> taker;
  for (const LoggedVerification& verification : citing) {
    STELE_ASSIGN_OR_RETURN(const JudgedVerification judged, JudgeAlone(verification));
    if (!judged.reason.empty()) continue;
    taker = verification.index;
    break;
  }
  return takers_[rerun] = taker;
}

absl::StatusOr<JudgedVerification> VerificationJudge::JudgeAlone(
    const LoggedVerification& verification) {
  JudgedVerification judged{verification, {}, std::nullopt};
  if (verification.disputed) {
    judged.reason = not_counted::kDisputed;
    return judged;
  }
  STELE_ASSIGN_OR_RETURN(const About* about, AboutOf(verification.record));
  const auto latest = about->latest.find(verification.signer);
  if (latest != about->latest.end() && verification.index < latest->second) {
    judged.reason = not_counted::kNotLatest;
    judged.instead = latest->second;
  } else if (!verification.passed) {
    judged.reason = not_counted::kFailed;
  } else if (!verification.by_runner) {
    judged.reason = not_counted::kNotRunner;
  } else {
    STELE_ASSIGN_OR_RETURN(judged.reason, FaultOfRecord(verification));
  }
  return judged;
}

absl::StatusOr<std::string_view> VerificationJudge::FaultOfRecord(
    const LoggedVerification& verification) {
  STELE_ASSIGN_OR_RETURN(const RecordFacts* facts, FactsOf(verification.record));
  const BenchmarkRun* run = RunIn(*facts);
  if (run == nullptr) return not_counted::kNoRun;
  STELE_ASSIGN_OR_RETURN(bool own, source_.HasPublished(verification.signer, verification.record));
  if (own) return not_counted::kOwnRecord;
  if (run->implementation) {
    STELE_ASSIGN_OR_RETURN(own, source_.HasPublished(verification.signer, *run->implementation));
    if (own) return not_counted::kOwnImplementation;
  }
  return FaultOfRerun(verification, *run);
}

absl::StatusOr<std::string_view> VerificationJudge::FaultOfRerun(
    const LoggedVerification& verification, const BenchmarkRun& run) {
  if (verification.rerun == verification.record) return not_counted::kRerunIsRecord;
  STELE_ASSIGN_OR_RETURN(const RecordFacts* facts, FactsOf(verification.rerun));
  if (!facts->counts) return not_counted::kRerunNotPublished;
  if (facts->retracted) return not_counted::kRerunRetracted;
  const BenchmarkRun* rerun = RunIn(*facts);
  return rerun == nullptr ? not_counted::kRerunNoRun : CompareRuns(run, *rerun);
}

}  // namespace stele::kernelindex
