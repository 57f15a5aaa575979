#include "store/index/queries.h"

#include <algorithm>

namespace stele::store {

std::string_view IndexStateName(IndexState state) {
  switch (state) {
    case IndexState::kFollowing:
      return "following";
    case IndexState::kRebuilding:
      return "rebuilding";
    case IndexState::kStopped:
      return "stopped";
  }
  return "stopped";
}

const RunRow* CohortAnswer::Find(const Digest& record) const {
  const auto found = std::lower_bound(
      runs.begin(), runs.end(), record,
      [](const RunRow& row, const Digest& wanted) { return row.record.record < wanted; });
  return found != runs.end() && found->record.record == record ? &*found : nullptr;
}

}  // namespace stele::store
