#include "store/fsck/entry_walk.h"

#include <utility>

#include "core/base/refusal.h"
#include "core/base/status_macros.h"

namespace stele::store {
namespace {

absl::StatusOr<EntryRow> ReadAlone(const Snapshot& snapshot, EntryIndex index) {
  absl::StatusOr<EntryRow> row = snapshot.Entry(index);
  if (!absl::IsNotFound(row.status())) return row;
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "", "it is missing");
}

}  // namespace

absl::Status WalkEntries(
    const Snapshot& snapshot, TreeSize size,
    absl::FunctionRef<absl::Status(EntryIndex index, absl::StatusOr<EntryRow> row)> visit) {
  EntryIndex next{0};
  const EntryIndex end{size.value()};
  while (next < end) {
    absl::Status visited;
    const absl::Status read = snapshot.VisitEntries(next, end, [&](EntryRow row) {
      visited = visit(next, std::move(row));
      ++next;
      return visited.ok();
    });
    STELE_RETURN_IF_ERROR(visited);
    if (read.ok()) break;
    if (!absl::IsDataLoss(read)) return read;
    absl::StatusOr<EntryRow> alone = ReadAlone(snapshot, next);
    if (!alone.ok() && !absl::IsDataLoss(alone.status())) return alone.status();
    STELE_RETURN_IF_ERROR(visit(next, std::move(alone)));
    ++next;
  }
  return absl::OkStatus();
}

}  // namespace stele::store
