#include "tools/hammer/ask.h"

#include <array>
#include <utility>

#include "client/queries.h"
#include "core/base/status_macros.h"

namespace stele::tools {
namespace {

constexpr std::array<std::pair<std::string_view, Question>, 5> kQuestions{
    {{"get", Question::kGet},
     {"list", Question::kList},
     {"references", Question::kReferences},
     {"history", Question::kHistory},
     {"cohort", Question::kCohort}}};

absl::Status HasRows(size_t rows) {
  return rows > 0 ? absl::OkStatus() : absl::NotFoundError("the first page has no row");
}

absl::Status Ask(const client::Queries& queries, const Asking& asking, const Digest& about) {
  switch (asking.question) {
    case Question::kGet:
      return absl::InternalError("a fetch is no question to the index");
    case Question::kList: {
      STELE_ASSIGN_OR_RETURN(const auto page, queries.List(asking.filter, {}));
      return HasRows(page.rows.size());
    }
    case Question::kReferences: {
      STELE_ASSIGN_OR_RETURN(const auto page, queries.ReferencesTo(about, {}));
      return HasRows(page.rows.size());
    }
    case Question::kHistory: {
      STELE_ASSIGN_OR_RETURN(const auto history, queries.HistoryOf(about, {}));
      return HasRows(history.entries.rows.size());
    }
    case Question::kCohort: {
      STELE_ASSIGN_OR_RETURN(const auto cohort, queries.CohortOf(about));
      return HasRows(cohort.cohort.ranked.size());
    }
  }
  return absl::InternalError("no such question");
}

}  // namespace

std::optional<Question> ParseQuestion(const std::string& name) {
  for (const auto& [known, question] : kQuestions) {
    if (known == name) return question;
  }
  return std::nullopt;
}

RunResult RunAsk(const RunOptions& options, const Asking& asking, size_t count) {
  if (asking.question == Question::kGet) return RunFetch(options, asking.digests, count);
  return RunEach(options, count, [&](const client::Connection& connection, size_t i) {
    const Digest about =
        asking.digests.empty() ? Digest() : asking.digests[i % asking.digests.size()];
    return Ask(client::Queries(connection), asking, about);
  });
}

}  // namespace stele::tools
