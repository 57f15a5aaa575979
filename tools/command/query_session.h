// What the commands that ask about records have in common.
#pragma once

#include <functional>

#include "absl/status/status.h"
#include "client/queries.h"
#include "tools/command/common.h"
#include "tools/command/output.h"
#include "tools/command/record_text.h"
#include "tools/command/session.h"

namespace stele::tools {

// Says on standard error that the index is behind, if it is.
void SayLag(const IndexMoment& moment, const CommonFlags& flags);

// Says on standard error what a reader of the record must know (WarningsOf), whatever --quiet says.
// Nothing for a digest that is no published record. If the server cannot be asked, that is said.
void WarnOf(const Session& session, const Digest& record);

// Rows from as many pages as it takes, at most `limit` of them (0: all). Says that there are more.
// `ask` gets the request for each page, `print` each row.
template <class Row>
absl::Status ForEachRow(uint64_t limit, const CommonFlags& flags,
                        const std::function<absl::StatusOr<Page<Row>>(const PageRequest&)>& ask,
                        const std::function<absl::Status(const Row&)>& print) {
  constexpr uint64_t kRows = 500;  // of a page
  PageRequest page;
  for (uint64_t left = limit == 0 ? UINT64_MAX : limit;;) {
    page.size = static_cast<size_t>(left < kRows ? left : kRows);
    const absl::StatusOr<Page<Row>> answer = ask(page);
    if (!answer.ok()) return answer.status();
    if (page.token.empty()) SayLag(answer->moment, flags);
    for (const Row& row : answer->rows) {
      if (absl::Status printed = print(row); !printed.ok()) return printed;
    }
    left -= answer->rows.size() < left ? answer->rows.size() : left;
    if (answer->next_token.empty()) return absl::OkStatus();
    if (left == 0) break;
    page.token = answer->next_token;
  }
  if (!flags.quiet) Complain("there are more; --limit 0 prints all");
  return absl::OkStatus();
}

}  // namespace stele::tools
