// What pages have in common: their size, where they begin, and when they end.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/base/query_limits.h"
#include "core/base/status_macros.h"
#include "store/index/page_token.h"
#include "store/index/queries.h"

namespace stele::store {

struct PagePlan {
  uint64_t question = 0;
  TreeSize size;      // entries known to the first page
  std::string place;  // where this one begins; empty: at the beginning
  size_t rows = 0;    // at most so many

  std::string TokenAt(std::string next) const {
    return FormatPageToken({question, size, std::move(next)});
  }
};

// `known` are the entries that a first page would know now; no token is of more than there are.
inline absl::StatusOr<PagePlan> PlanPage(const PageRequest& request, uint64_t question,
                                         TreeSize known, TreeSize all, size_t place_bytes,
                                         size_t most_rows) {
  PagePlan plan{.question = question, .size = known, .place = {}, .rows = request.size};
  if (plan.rows == 0) plan.rows = limits::kDefaultPageRows;
  plan.rows = std::min(plan.rows, most_rows);
  if (request.token.empty()) return plan;
  STELE_ASSIGN_OR_RETURN(PageToken token,
                         ParsePageToken(request.token, question, all, place_bytes));
  plan.size = token.size;
  plan.place = std::move(token.place);
  return plan;
}

}  // namespace stele::store
