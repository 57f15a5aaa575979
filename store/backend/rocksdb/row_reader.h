// Which family the rows of a kind stand in, and how key and value become one. Pure.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/backend/rocksdb/families.h"

namespace stele::store {

struct RowReader {
  Family family;
  std::string_view name;  // "all tiles"
  // DATA_LOSS naming the row if it is damaged.
  absl::StatusOr<AnyRow> (*decode)(std::string_view key, std::string_view value);
};
RowReader RowReaderOf(RowKind kind);

}  // namespace stele::store
