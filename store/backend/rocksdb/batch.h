// A plan as RocksDB's one atomic write batch. Pure.
#pragma once

#include <rocksdb/write_batch.h>

#include <vector>

#include "store/backend/rocksdb/database.h"

namespace stele::store {

// About what a plan takes in a batch, so that it need not grow.
size_t RoughBytes(const CommitPlan& plan);

// `staged` are those of the plan's artifacts that are not content yet.
rocksdb::Status FillBatch(const CommitPlan& plan, const std::vector<StagedArtifact>& staged,
                          const Database& database, rocksdb::WriteBatch& batch);

}  // namespace stele::store
