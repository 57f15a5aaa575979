// stele cohort: the comparable runs, ranked.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "tools/command/common.h"
#include "tools/command/digest_argument.h"
#include "tools/command/output.h"
#include "tools/command/query_session.h"

namespace stele::tools {
namespace {

struct CohortFlags {
  std::string digest;
};

json::Value NumberOrNull(const std::optional<double>& number) {
  return number ? json::Value(*number) : json::Value();
}

json::Value RunJson(const RunRow& run) {
  json::Value interval;
  if (run.confidence95) {
    interval = JsonObject({{"low", json::Value(run.confidence95->low)},
                           {"high", json::Value(run.confidence95->high)}});
  }
  return JsonObject({{"record", RecordJson(run.record)},
                     {"implementation", OptionalText(run.implementation)},
                     {"status", JsonText(run.status)},
                     {"measurement", JsonText(run.measurement.key)},
                     {"value", NumberOrNull(run.measurement.value)},
                     {"unit", JsonText(run.measurement.unit)},
                     {"confidence95", std::move(interval)}});
}

json::Value CohortJson(const CohortAnswer& answer) {
  std::vector<json::Value> ranked, excluded;
  for (const kernelindex::RankedRun& run : answer.cohort.ranked) {
    ranked.push_back(JsonObject({{"rank", JsonNumber(run.rank)},
                                 {"value", json::Value(run.value)},
                                 {"difference", NumberOrNull(run.difference)},
                                 {"ratio", NumberOrNull(run.ratio)},
                                 {"run", RunJson(*answer.Find(run.record))}}));
  }
  for (const kernelindex::ExcludedRun& run : answer.cohort.excluded) {
    std::vector<json::Value> reasons;
    for (const std::string& reason : run.reasons) reasons.push_back(JsonText(reason));
    excluded.push_back(JsonObject({{"reasons", json::Value(std::move(reasons))},
                                   {"run", RunJson(*answer.Find(run.record))}}));
  }
  return JsonObject({{"key", JsonText(answer.key.ToText())},
                     {"asked", OptionalText(answer.asked)},
                     {"sourceNative", json::Value(answer.cohort.source_native)},
                     {"ranked", json::Value(std::move(ranked))},
                     {"excluded", json::Value(std::move(excluded))},
                     {"applied", JsonNumber(answer.moment.applied.value())},
                     {"treeSize", JsonNumber(answer.moment.size.value())}});
}

// "→" stands before the run that was asked for.
std::string Mark(const CohortAnswer& answer, const Digest& record) {
  return answer.asked == record ? "→ " : "  ";
}

std::string RankedText(const CohortAnswer& answer, const kernelindex::RankedRun& run) {
  const RunRow& row = *answer.Find(run.record);
  std::string line = Concat(Mark(answer, run.record), run.rank, "  ", NumberText(run.value));
  if (!row.measurement.unit.empty()) line += Concat(" ", row.measurement.unit);
  if (row.confidence95) {
    line += Concat(" [", NumberText(row.confidence95->low), ", ",
                   NumberText(row.confidence95->high), "]");
  }
  if (run.ratio) line += Concat("  ×", NumberText(*run.ratio));
  return Concat(line, "  ", RecordText(row.record));
}

std::string ExcludedText(const CohortAnswer& answer, const kernelindex::ExcludedRun& run) {
  std::string line = Concat(Mark(answer, run.record), "-");
  for (const std::string& reason : run.reasons) line += Concat("  ", reason);
  return Concat(line, "  ", RecordText(answer.Find(run.record)->record));
}

absl::Status PrintCohort(const CohortAnswer& answer) {
  const kernelindex::Cohort& cohort = answer.cohort;
  STELE_RETURN_IF_ERROR(WriteLine(
      Concat("cohort    ", answer.key.ToText(), "\nruns      ", answer.runs.size(), ", ",
             cohort.ranked.size(), " ranked by ",
             answer.runs.empty() ? "" : answer.runs.front().measurement.key, ", lower is better",
             cohort.source_native ? "; source-native: equal values alone tie" : "", "\n")));
  for (const kernelindex::RankedRun& run : cohort.ranked) {
    STELE_RETURN_IF_ERROR(WriteLine(RankedText(answer, run)));
  }
  for (const kernelindex::ExcludedRun& run : cohort.excluded) {
    STELE_RETURN_IF_ERROR(WriteLine(ExcludedText(answer, run)));
  }
  return absl::OkStatus();
}

// A comparison key is no content: only a whole one can be told from a prefix of a record.
absl::Status Cohort(const CohortFlags& cohort, const CommonFlags& flags) {
  STELE_ASSIGN_OR_RETURN(const Session session, OpenSession(flags));
  STELE_ASSIGN_OR_RETURN(const Digest asked, ResolveContent(session.fetcher(), cohort.digest));
  STELE_ASSIGN_OR_RETURN(const CohortAnswer answer,
                         client::Queries(*session.connection).CohortOf(asked));
  SayLag(answer.moment, flags);
  return flags.json ? WriteJson(CohortJson(answer)) : PrintCohort(answer);
}

}  // namespace

void AddCohortCommand(CLI::App& app, const CommonFlags& flags, int& exit_code) {
  auto cohort = std::make_shared<CohortFlags>();
  CLI::App* command = app.add_subcommand(
      "cohort",
      "The runs that may be compared with each other, ranked: rank (ties share one), value,\n"
      "how many times the leader's; then the excluded ones with their reasons. The server's\n"
      "reading of its log.");
  command
      ->add_option("DIGEST|KEY", cohort->digest,
                   "A run (8 or more hex digits if unique), or a whole comparison key")
      ->required();
  command->footer(
      "Example:\n"
      "  stele cohort sha256:e0e91f29216e889f296457590db71c27b286886e8ba5dd7adad23d8cf56aba90");
  command->callback([cohort, &flags, &exit_code] { exit_code = Fail(Cohort(*cohort, flags)); });
}

}  // namespace stele::tools
