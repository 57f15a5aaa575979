// How RocksDB is set up: every knob that Stele turns, in one place.
//
// Sized for two cores and a server under 512 MiB at a million records. Any of it may change between
// two runs over the same folder.
#pragma once

#include <rocksdb/db.h>

#include <memory>
#include <vector>

#include "store/backend/rocksdb/rocksdb_backend.h"

namespace stele::store {

// Options of the whole database, without logger, listener, filter and recovery mode, and the caches
// that its families share.
struct Tuning {
  rocksdb::DBOptions db;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;  // in the order of Family
};

Tuning MakeTuning(const RocksDbOptions& options, rocksdb::Env* env);

}  // namespace stele::store
