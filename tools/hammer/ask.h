// Questions to the index, first pages only, beside a fetch as the measure of the same moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/query/answers.h"
#include "tools/hammer/run.h"

namespace stele::tools {

enum class Question { kGet, kList, kReferences, kHistory, kCohort };
// "get", "list", "references", "history", "cohort".
std::optional<Question> ParseQuestion(const std::string& name);

struct Asking {
  Question question = Question::kGet;
  ListFilter filter;            // of kList
  std::vector<Digest> digests;  // what the others ask about, in turn; at least one
};

// `count` questions over `streams` connections; for each the first page, of the size that a server
// gives to who does not say one. An answer without a row fails: nothing was measured.
RunResult RunAsk(const RunOptions& options, const Asking& asking, size_t count);

}  // namespace stele::tools
