#include "store/backend/memory_disk.h"

namespace stele::store {

void MemoryDisk::Apply(const CommitPlan& plan) {
  const uint64_t now = ++stamp;
  // A row that is there already stays as it was first written.
  auto add = [now](auto& rows, const auto& key, const auto& value) {
    auto [it, fresh] = rows.try_emplace(key);
    if (fresh) it->second.Add(now, value);
  };
  for (const ContentRow& row : plan.content) add(content, row.digest, row.bytes);
  for (const EntryRow& row : plan.entries) add(entries, row.index, row);
  for (const TileRow& row : plan.tiles) {
    tiles[{row.level, row.number}].Add(now, row.bytes);
  }
  for (const ReplayRow& row : plan.replays) add(replays, row.key, row.index);
  for (const PublicationRow& row : plan.publications) {
    add(publications, std::pair(row.record, row.index), row);
  }
  for (const SubjectRow& row : plan.subjects) {
    add(subjects, std::pair(row.subject, row.index), row);
  }
  for (const KeyEvent& event : plan.key_events) key_events.emplace_back(now, event);
  head = plan.head;
}

}  // namespace stele::store
