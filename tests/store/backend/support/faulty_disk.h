// A file system for RocksDB whose writes can be made to fail.
#pragma once

#include <rocksdb/env.h>

#include <atomic>
#include <memory>
#include <string>

namespace stele::store::testing {

// What fails, shared with every file of the disk. Any thread.
struct DiskFault {
  enum class Kind { kNone, kNoSpace, kIoError };
  std::atomic<Kind> append{Kind::kNone};
  std::atomic<Kind> sync{Kind::kNone};
  // Only files with this extension; empty for all. Set while nothing runs.
  std::string extension;
  std::atomic<int> hits{0};
};

// The default file system behind `fault`. Outlives what is opened on it.
std::unique_ptr<rocksdb::Env> MakeFaultyDisk(std::shared_ptr<DiskFault> fault);

}  // namespace stele::store::testing
