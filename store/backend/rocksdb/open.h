// Opening a store on RocksDB: creation, recovery and its refusals (formats §6 "Guard", and the
// rules of OpenRocksDb). For the files of this folder and their tests only.
#pragma once

#include <memory>
#include <optional>

#include "store/backend/rocksdb/database.h"

namespace stele::store {

struct Opened {
  std::shared_ptr<Database> database;
  std::optional<Head> head;  // nothing only after creation
};

// What OpenRocksDb says.
absl::StatusOr<Opened> OpenDatabase(rocksdb::Env* env, const RocksDbOptions& options,
                                    const HeadCheck& check);

// OpenRocksDb on another Env than the default one: tests make disks fail with it. `env` outlives
// the backend and its snapshots.
absl::StatusOr<std::unique_ptr<Backend>> OpenRocksDbOn(rocksdb::Env* env,
                                                       const RocksDbOptions& options,
                                                       const HeadCheck& head_is_acceptable);

// A backend that only reads, on an open database.
std::unique_ptr<Backend> MakeReadOnlyBackend(const std::filesystem::path& dir,
                                             std::shared_ptr<Database> database);

}  // namespace stele::store
