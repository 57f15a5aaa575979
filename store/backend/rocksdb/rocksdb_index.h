// The contract of index_store.h on RocksDB: one folder, one writing process. Whoever includes this
// header sees nothing of RocksDB.
//
// Nothing here is synchronised and there is no write-ahead log: what a crash takes away, at most a
// few memtables, is derived again. A flush makes rows and position durable together.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/backend/event_log.h"
#include "store/index/index_store.h"

namespace stele::store {

struct RocksDbIndexOptions {
  std::filesystem::path dir;  // RocksDB's own folder; nothing else lives in it
  // Throws away whatever is there and makes an empty one. Without it an index must be there.
  bool create = false;
  // Reads beside a writing process, at the moment of its last flush. No lock, nothing changes.
  bool read_only = false;
  bool verify = false;  // every block of every table, at once
  size_t cache_bytes = 16ull << 20;
  size_t write_buffer_bytes = 8ull << 20;  // of one memtable; there are two
  // Snapshots of an earlier handle in this process may still hold the folder: wait so long.
  std::chrono::milliseconds close_wait{5000};
  EventLog log;
};

//   NOT_FOUND            there is no index in `dir`
//   FAILED_PRECONDITION  it is of another format
//   DATA_LOSS            damaged
//   RESOURCE_EXHAUSTED   DISK_FULL, and UNAVAILABLE for other I/O, or if something holds the folder
// Whatever it is, opening it with `create` is a cure, unless the folder is held or cannot be
// written.
absl::StatusOr<std::unique_ptr<IndexStore>> OpenRocksDbIndex(const RocksDbIndexOptions& options);

}  // namespace stele::store
