#include "store/indexer/applier.h"

#include <algorithm>
#include <utility>

#include "core/base/concat.h"
#include "core/base/query_limits.h"
#include "core/base/status_macros.h"
#include "core/merkle/proof.h"
#include "store/index/derive.h"
#include "store/indexer/log_source.h"
#include "store/indexer/valid_entry.h"
#include "store/read/stored_tile.h"

namespace stele::store {
namespace {

absl::StatusOr<Hash> RootAt(const Snapshot& log, TreeSize size) {
  if (size == log.head()->size) return log.head()->root;
  return MakeRoot(StoredHashReader(log, log.head()->size), size);
}

}  // namespace

absl::Status CheckIndexPosition(const Snapshot& log, const IndexPosition& position) {
  if (position.applied == TreeSize(0)) return absl::OkStatus();
  const Head& head = *log.head();
  if (position.origin != head.origin) {
    return absl::FailedPreconditionError(
        Concat("it is of the log ", position.origin, ", not of ", head.origin));
  }
  if (position.applied > head.size) {
    return absl::FailedPreconditionError(
        Concat("it has ", position.applied.value(), " entries, the log has ", head.size.value()));
  }
  STELE_ASSIGN_OR_RETURN(const Hash root, RootAt(log, position.applied));
  if (root == position.root) return absl::OkStatus();
  return absl::FailedPreconditionError(
      Concat("the log's first ", position.applied.value(), " entries are not those that it has"));
}

absl::Status IndexApplier::ApplyBatch(const Snapshot& log) {
  const EntryIndex begin(position_.applied.value());
  const uint64_t size = log.head()->size.value();
  const EntryIndex end(std::min(begin.value() + limits::kIndexBatchEntries, size));
  EntryIndex next = begin;
  absl::Status applied;
  STELE_RETURN_IF_ERROR(log.VisitEntries(begin, end, [&](const EntryRow& row) {
    applied = Apply(log, row);
    if (applied.ok()) ++next;
    return applied.ok() && pending_bytes_ < limits::kIndexBatchBytes;
  }));
  STELE_RETURN_IF_ERROR(applied);
  if (next == begin) return absl::OkStatus();
  IndexPosition reached{
      .origin = log.head()->origin, .applied = TreeSize(next.value()), .root = {}};
  STELE_ASSIGN_OR_RETURN(reached.root, RootAt(log, reached.applied));
  STELE_RETURN_IF_ERROR(WriteOut(reached));
  position_ = std::move(reached);
  return absl::OkStatus();
}

absl::Status IndexApplier::Apply(const Snapshot& log, const EntryRow& row) {
  STELE_ASSIGN_OR_RETURN(const std::optional<ValidEntry> entry, ReadValidEntry(log, row));
  if (!entry) return stop_ && stop_() ? absl::CancelledError("stopping") : absl::OkStatus();
  const LogSource source(log, row.index.value() + 1, index_, pending_);
  return DeriveRows({entry->index, entry->signer, entry->logged, entry->statement}, source,
                    [&](std::string key, std::string value) -> absl::Status {
                      if (stop_ && stop_()) return absl::CancelledError("stopping");
                      pending_bytes_ += key.size() + value.size();
                      pending_.insert_or_assign(std::move(key), std::move(value));
                      if (pending_bytes_ < 2 * limits::kIndexBatchBytes) return absl::OkStatus();
                      position_.parts = true;
                      return WriteOut(position_);
                    });
}

absl::Status IndexApplier::WriteOut(const IndexPosition& position) {
  STELE_RETURN_IF_ERROR(index_.Write(pending_, position));
  pending_.clear();
  pending_bytes_ = 0;
  return absl::OkStatus();
}

}  // namespace stele::store
