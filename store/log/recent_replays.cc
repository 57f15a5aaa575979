#include "store/log/recent_replays.h"

#include <utility>

namespace stele::store {

void RecentReplays::Reset(TreeSize size) {
  floor_ = size;
  commits_.clear();
  indexes_.clear();
}

void RecentReplays::Add(const std::vector<ReplayRow>& rows, TreeSize size) {
  Commit commit{.keys = {}, .size = size};
  commit.keys.reserve(rows.size());
  for (const ReplayRow& row : rows) {
    commit.keys.push_back(row.key);
    indexes_.emplace(row.key, row.index);
  }
  commits_.push_back(std::move(commit));
  while (indexes_.size() > capacity_) {
    for (const ReplayKey& key : commits_.front().keys) indexes_.erase(key);
    floor_ = commits_.front().size;
    commits_.pop_front();
  }
}

std::optional<EntryIndex> RecentReplays::Find(const ReplayKey& key) const {
  const auto found = indexes_.find(key);
  if (found == indexes_.end()) return std::nullopt;
  return found->second;
}

}  // namespace stele::store
