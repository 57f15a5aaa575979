// The answers of opening that its several ways share. For the files of this folder only.
#pragma once

#include <memory>
#include <string>

#include "store/backend/rocksdb/open.h"

namespace stele::store {

// What is wrong, in words.
std::string Describe(const Database::Failure& failure);
// An earlier handle, or a snapshot of one, is still open.
bool HeldByThisProcess(const rocksdb::Status& status);
// The error that OpenRocksDb promises.
absl::Status ToStatus(const RocksDbOptions& options, const Database::Failure& failure);

// Reads the head and asks the caller about it.
absl::StatusOr<Opened> Accept(std::shared_ptr<Database> database, const std::filesystem::path& dir,
                              const HeadCheck& check);

// Opens beside a writing process, at one moment.
absl::StatusOr<Opened> OpenForReading(rocksdb::Env* env, const RocksDbOptions& options,
                                      const HeadCheck& check);

}  // namespace stele::store
