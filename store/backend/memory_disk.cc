#include "store/backend/memory_disk.h"

#include "store/backend/plan_check.h"

namespace stele::store {

absl::Status MemoryDisk::CheckArtifact(const ArtifactRow& named) const {
  std::optional<ArtifactRow> stored;
  std::optional<StagedArtifact> waiting;
  if (auto it = artifacts.find(named.digest); it != artifacts.end()) {
    if (const ArtifactRow* row = it->second.At(stamp)) stored = *row;
  }
  if (auto it = staged.find(named.digest); it != staged.end()) waiting = it->second;
  return CheckNamed(named, waiting, stored);
}

void MemoryDisk::Apply(const CommitPlan& plan) {
  const uint64_t now = ++stamp;
  // A row that is there already stays as it was first written.
  auto add = [now](auto& rows, const auto& key, const auto& value) {
    auto [it, fresh] = rows.try_emplace(key);
    if (fresh) it->second.Add(now, value);
  };
  for (const ContentRow& row : plan.content) add(content, row.digest, row.bytes);
  for (const ArtifactRow& row : plan.artifacts) {
    auto found = staged.find(row.digest);
    if (found == staged.end()) continue;  // content already
    add(artifacts, row.digest, ArtifactRow{row.digest, row.size, found->second.chunk_digests});
    staged.erase(found);
  }
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
