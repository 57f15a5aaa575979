// A plan as RocksDB's one atomic write batch. Pure.
#pragma once

#include <rocksdb/write_batch.h>

#include "store/backend/rocksdb/database.h"

namespace stele::store {

rocksdb::Status FillBatch(const CommitPlan& plan, const Database& database,
                          rocksdb::WriteBatch& batch);

}  // namespace stele::store
