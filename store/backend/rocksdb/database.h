// An open RocksDB with Stele's families: owned jointly by the backend and its snapshots, closed
// when the last of them goes. For the files of this folder and their tests only.
#pragma once

#include <rocksdb/db.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/backend/backend.h"
#include "store/backend/rocksdb/families.h"
#include "store/backend/rocksdb/poison.h"
#include "store/backend/rocksdb/rocksdb_backend.h"
#include "store/backend/rocksdb/wal_chain.h"

namespace stele::store {

class Database {
 public:
  enum class Mode { kCreate, kWrite, kRead };
  // What went wrong, for the opener to judge.
  struct Failure {
    rocksdb::Status status;
    std::string hole;  // in the write-ahead log, in words; empty if none
  };
  // Null with `failure` filled if RocksDB refuses.
  static std::shared_ptr<Database> Open(const RocksDbOptions& options, rocksdb::Env* env, Mode mode,
                                        rocksdb::WALRecoveryMode recovery, Failure& failure);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  rocksdb::DB& db() const { return *db_; }
  // Null, where nothing is written, if this store was made before there was such a family.
  rocksdb::ColumnFamilyHandle* family(Family f) const { return families_[static_cast<size_t>(f)]; }
  Poison& poison() const { return *poison_; }
  const rocksdb::Statistics& statistics() const { return *statistics_; }

  // A snapshot of now, with its head read. DATA_LOSS, UNAVAILABLE.
  static absl::StatusOr<std::shared_ptr<const Snapshot>> Take(
      std::shared_ptr<const Database> database);

 private:
  Database() = default;
  rocksdb::Status OpenFamilies(const rocksdb::DBOptions& options, const std::string& dir,
                               const std::vector<rocksdb::ColumnFamilyDescriptor>& families,
                               bool reading);

  std::shared_ptr<Poison> poison_ = std::make_shared<Poison>();
  std::shared_ptr<rocksdb::Statistics> statistics_;
  EventLog log_;
  std::unique_ptr<WalChain> chain_;  // RocksDB keeps a pointer to it
  std::unique_ptr<rocksdb::DB> db_;
  std::array<rocksdb::ColumnFamilyHandle*, kFamilyNames.size()> families_ = {};
};

}  // namespace stele::store
