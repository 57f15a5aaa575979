// A store's RocksDB folder looked at for fsck: every byte of every file that holds truth, and then
// the database as far as it can be opened. Nothing is locked and nothing in the folder changes; a
// server may go on writing to it. Whoever includes this header sees nothing of RocksDB.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/backend/rocksdb/rocksdb_backend.h"

namespace stele::store {

// What is wrong with a file; its name is relative to the folder.
struct FileFault {
  std::string file;
  std::string what;
};

struct FilesInspected {
  uint64_t files = 0;
  uint64_t bytes = 0;
  std::vector<FileFault> faults;
  // No damage: a log that ends inside a record, as a kill leaves it.
  std::vector<FileFault> torn;
};

struct RocksDbInspection {
  FilesInspected files;
  // OK, or why the database does not open as it stands: what OpenRocksDb says.
  absl::Status opened;
  // For reading only: the database as it stands, or, if that does not open, up to the damage of its
  // write-ahead log. Null if there is nothing to be read.
  std::unique_ptr<Backend> backend;
};

// `options` as for reading; `progress` hears the bytes read so far, and may be empty. UNAVAILABLE
// if files cannot be read, NOT_FOUND if there is no such folder; damage is no error.
absl::StatusOr<RocksDbInspection> InspectRocksDb(const RocksDbOptions& options,
                                                 const std::function<void(uint64_t)>& progress);

// For reading only: the database as it stands, or, if that does not open, up to the damage of its
// write-ahead log. Null if there is nothing to be read.
std::unique_ptr<Backend> OpenForSalvage(const RocksDbOptions& options);

// The folder's lock, which a writer holds; let go with its owner.
class FolderLock {
 public:
  virtual ~FolderLock() = default;
};
// FAILED_PRECONDITION if it is held, UNAVAILABLE for I/O.
absl::StatusOr<std::unique_ptr<FolderLock>> LockFolder(const std::filesystem::path& dir);

}  // namespace stele::store
