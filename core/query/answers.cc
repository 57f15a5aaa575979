#include "core/query/answers.h"

#include <algorithm>

namespace stele {

std::string_view IndexStateName(IndexState state) {
  switch (state) {
    case IndexState::kFollowing:
      return "following";
    case IndexState::kRebuilding:
      return "rebuilding";
    case IndexState::kStopped:
      return "stopped";
  }
  return "";
}

std::optional<IndexState> ParseIndexState(std::string_view name) {
  for (IndexState state : {IndexState::kFollowing, IndexState::kRebuilding, IndexState::kStopped}) {
    if (name == IndexStateName(state)) return state;
  }
  return std::nullopt;
}

const RunRow* CohortAnswer::Find(const Digest& record) const {
  const auto at = std::lower_bound(
      runs.begin(), runs.end(), record,
      [](const RunRow& row, const Digest& wanted) { return row.record.record < wanted; });
  return at == runs.end() || at->record.record != record ? nullptr : &*at;
}

}  // namespace stele
