// The store on disk, checked from the bytes up.
//
// In this order: the guard, every byte of RocksDB's files (tables and blob files against the
// checksums in its manifest, manifest and write-ahead logs record by record), the database as far
// as it opens, then everything that CheckSnapshot checks, and, if all of that is clean, the derived
// index against one that is derived anew. Takes no lock and changes nothing: a
// server may be running.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/backend/event_log.h"
#include "store/fsck/finding.h"
#include "store/fsck/index_check.h"
#include "store/fsck/snapshot_check.h"

namespace stele::store {

struct FsckProgress {
  uint64_t file_bytes = 0;
  uint64_t entries = 0, all_entries = 0;
  bool indexing = false;  // the entries are those of the index
};

struct FsckOptions {
  std::filesystem::path dir;
  std::filesystem::path guard;                        // empty: dir + ".guard"
  size_t cache_bytes = 32ull << 20;                   // block cache
  size_t write_buffer_bytes = 16ull << 20;            // as the server's, for what its log holds
  FindingSink found;                                  // each as it comes; may be empty
  std::function<void(const FsckProgress&)> progress;  // on the caller's thread; may be empty
  EventLog log;                                       // what RocksDB warns of; empty: none
};

struct FsckReport {
  uint64_t findings = 0;
  // No damage: files that end inside a record, as a kill leaves them.
  std::vector<std::string> torn;
  uint64_t files = 0, file_bytes = 0;
  bool opened = false;  // as it stands; else `log` is what comes before the damage, or nothing
  SnapshotCheck log;
  bool index_checked = false;  // there is one, and the log is clean
  IndexCheck index;
};

// NOT_FOUND if there is no store in the folder, UNAVAILABLE or PERMISSION_DENIED if it cannot be
// read. Damage is no error: it is said through `found` and counted.
absl::StatusOr<FsckReport> Fsck(const FsckOptions& options);

}  // namespace stele::store
