// The contract of backend.h on RocksDB: one folder, one writing process. Whoever includes this
// header sees nothing of RocksDB.
//
// A commit is one write batch, synchronised before Commit returns. Snapshots keep the folder open:
// the lock goes when the backend and the last of its snapshots are gone.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/backend/event_log.h"

namespace stele::store {

struct RocksDbOptions {
  std::filesystem::path dir;  // RocksDB's own folder; nothing else lives in it
  // Makes a new store. Without it the store must exist and hold a head.
  bool create = false;
  // Reads beside a writing process, at the moment of opening. No lock, nothing in the folder
  // changes.
  bool read_only = false;
  size_t cache_bytes = 64ull << 20;  // blocks, indexes and filters; memtables are charged to it
  size_t write_buffer_bytes = 8ull
                              << 20;  // one memtable of content; all together at most four times
  // Readers of an earlier handle in this process may still hold the folder: wait so long for them.
  std::chrono::milliseconds close_wait{5000};
  EventLog log;  // RocksDB's warnings and errors, and what recovery did; called from any thread
};

// Says whether the head that was found may be continued: the guard's rules. Called before anything
// is committed; its error is Open's answer. Not called for a new store.
using HeadCheck = std::function<absl::Status(const Snapshot&)>;

// Opens or makes a store. On OK everything found is on stable storage, and a new folder too.
//   NOT_FOUND            there is no store in `dir`
//   ALREADY_EXISTS       `create` and the folder is not empty: choose another
//   FAILED_PRECONDITION  another process holds the folder; its creation was never finished; it is
//   not
//                        Stele's; it was written by a newer Stele; what `head_is_acceptable`
//                        refuses
//   DATA_LOSS            damaged: the message names what, and where; restore or repair
//   RESOURCE_EXHAUSTED   DISK_FULL, and UNAVAILABLE for other I/O: cure it, open again
// A disk too full to write more than a few kilobytes gives a backend that is poisoned from the
// start: reads only, commits are FAILED_PRECONDITION with reason DISK_FULL until it is opened
// again.
//
// A torn tail of the write-ahead log is normal after a kill. On any other damage of it the last
// good point is first read without writing; only if `head_is_acceptable` says so are the log files
// copied to dir/damaged-<n>/ and the store opened for writing at that point.
absl::StatusOr<std::unique_ptr<Backend>> OpenRocksDb(const RocksDbOptions& options,
                                                     const HeadCheck& head_is_acceptable);

}  // namespace stele::store
