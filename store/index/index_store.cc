#include "store/index/index_store.h"

#include "core/base/status_macros.h"

namespace stele::store {

absl::Status VisitPrefix(
    const IndexSnapshot& snapshot, std::string_view prefix,
    const std::function<absl::Status(std::string_view key, std::string_view value)>& visit) {
  const std::unique_ptr<IndexCursor> cursor = snapshot.NewCursor();
  for (cursor->Seek(prefix); cursor->valid() && cursor->key().starts_with(prefix); cursor->Next()) {
    STELE_RETURN_IF_ERROR(visit(cursor->key(), cursor->value()));
  }
  return cursor->status();
}

}  // namespace stele::store
