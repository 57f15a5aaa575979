#include "store/fsck/snapshot_check.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/fsck/artifact_check.h"
#include "store/fsck/entry_walk.h"
#include "store/fsck/log_check.h"
#include "store/fsck/row_check.h"
#include "store/fsck/tree_check.h"

namespace stele::store {
namespace {

void CheckReached(const SnapshotCheck& check, const std::optional<MustReach>& must_reach,
                  const std::optional<Hash>& root_there, Findings& findings) {
  if (!must_reach) return;
  if (check.size < must_reach->size) {
    findings.Add("head", "size",
                 Concat("the store ends at ", check.size.value(), " entries, but ",
                        must_reach->size.value(), " were acknowledged (guard)"),
                 kRestore);
  } else if (root_there && *root_there != must_reach->root) {
    findings.Add("root", Concat(must_reach->size.value()),
                 Concat("the entries lead to ", root_there->ToHex(), ", acknowledged was ",
                        must_reach->root.ToHex(), " (guard): another history"),
                 kRestore);
  }
}

absl::Status CheckNothingBeyond(const Snapshot& snapshot, TreeSize size, Findings& findings) {
  const absl::Status beyond = snapshot.Entry(EntryIndex{size.value()}).status();
  if (absl::IsUnavailable(beyond)) return beyond;
  if (!absl::IsNotFound(beyond)) {
    findings.Add("entry", Concat(size.value()), "stands beyond the head", kRestore);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SnapshotCheck> CheckSnapshot(
    const Snapshot& snapshot, const std::optional<MustReach>& must_reach, Findings& findings,
    const std::function<void(uint64_t done, uint64_t all)>& progress) {
  SnapshotCheck check;
  if (!snapshot.head()) {
    findings.Add("head", "", "there is none: the store holds no log", kRestore);
    return check;
  }
  const Head& head = *snapshot.head();
  check.size = head.size;
  check.root = head.root;
  TreeCheck tree(snapshot, findings);
  LogCheck log(snapshot, findings);
  std::optional<Hash> root_there;
  auto visit = [&](EntryIndex index, absl::StatusOr<EntryRow> row) -> absl::Status {
    STELE_RETURN_IF_ERROR(log.Take(index, row));
    std::optional<Hash> hash;
    if (row.ok() && LeafHash(row->leaf) == row->leaf_hash) hash = row->leaf_hash;
    if (index.value() == 0) check.genesis_leaf_hash = hash;
    STELE_RETURN_IF_ERROR(tree.Append(hash));
    ++check.entries;
    if (must_reach && check.entries == must_reach->size.value()) root_there = tree.Root();
    if (progress) progress(check.entries, head.size.value());
    return absl::OkStatus();
  };
  STELE_RETURN_IF_ERROR(WalkEntries(snapshot, head.size, visit));
  STELE_RETURN_IF_ERROR(log.Finish());
  STELE_RETURN_IF_ERROR(tree.Finish());
  if (tree.Root() && *tree.Root() != head.root) {
    findings.Add(
        "root", "",
        Concat("the entries lead to ", tree.Root()->ToHex(), ", the head says ", head.root.ToHex()),
        kRestore);
  }
  CheckReached(check, must_reach, root_there, findings);
  STELE_RETURN_IF_ERROR(CheckNothingBeyond(snapshot, head.size, findings));
  STELE_RETURN_IF_ERROR(CheckContentRows(snapshot, log.replay(), findings));
  STELE_RETURN_IF_ERROR(CheckArtifacts(snapshot, log.replay(), findings));
  check.judged = log.whole();
  if (check.judged) STELE_RETURN_IF_ERROR(CheckDerivedRows(snapshot, log, findings));
  check.tiles = tree.tiles();
  check.contents = log.contents();
  check.content_bytes = log.content_bytes();
  check.log_keys = log.replay().LogKeys();
  return check;
}

}  // namespace stele::store
