#include "store/backend/rocksdb/rocksdb_backend.h"

#include <rocksdb/statistics.h>
#include <rocksdb/write_batch.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/backend/plan_check.h"
#include "store/backend/rocksdb/batch.h"
#include "store/backend/rocksdb/open.h"
#include "store/backend/rocksdb/staging.h"
#include "store/backend/rocksdb/status.h"

namespace stele::store {
namespace {

class RocksDbBackend final : public Backend {
 public:
  RocksDbBackend(std::filesystem::path dir, std::shared_ptr<Database> database,
                 std::optional<Head> head, bool read_only)
      : dir_(std::move(dir)),
        database_(std::move(database)),
        read_only_(read_only),
        staging_(database_, read_only, mutex_),
        head_(std::move(head)) {}

  absl::StatusOr<std::shared_ptr<const Snapshot>> GetSnapshot() const override {
    return Database::Take(database_);
  }

  absl::Status Commit(const CommitPlan& plan) override {
    if (read_only_) {
      return Refuse(absl::StatusCode::kFailedPrecondition, reason::kReadOnly, "",
                    Concat(dir_.string(), " is open for reading only"));
    }
    MutexLock lock(mutex_);
    if (absl::Status cause = database_->poison().cause(); !cause.ok()) {
      return RefusePoisoned(cause);
    }
    if (absl::Status status = CheckPlan(head_, plan); !status.ok()) return status;
    STELE_ASSIGN_OR_RETURN(const std::vector<StagedArtifact> staged, StagedOf(plan));
    absl::Status written = Write(plan, staged);
    if (!written.ok()) {
      database_->poison().Set(written);
      return written;
    }
    head_ = plan.head;
    return absl::OkStatus();
  }

  Staging& staging() override { return staging_; }

  bool poisoned() const override { return !database_->poison().cause().ok(); }

  absl::StatusOr<uint64_t> FreeBytes() const override {
    struct statvfs fs;
    if (statvfs(dir_.c_str(), &fs) != 0) {
      return absl::UnavailableError(
          Concat("asking for the free space at ", dir_.string(), ": ", std::strerror(errno)));
    }
    return uint64_t{fs.f_bavail} * fs.f_frsize;
  }

  std::vector<std::pair<std::string, uint64_t>> Stats() const override {
    std::vector<std::pair<std::string, uint64_t>> stats;
    auto property = [&](const char* name, const std::string& key) {
      uint64_t value = 0;
      if (database_->db().GetAggregatedIntProperty(key, &value)) stats.emplace_back(name, value);
    };
    property("rocksdb_memtable_bytes", rocksdb::DB::Properties::kSizeAllMemTables);
    property("rocksdb_sst_bytes", rocksdb::DB::Properties::kTotalSstFilesSize);
    property("rocksdb_blob_bytes", rocksdb::DB::Properties::kTotalBlobFileSize);
    property("rocksdb_pending_compaction_bytes",
             rocksdb::DB::Properties::kEstimatePendingCompactionBytes);
    uint64_t cache = 0;  // one cache for all families: not to be added up
    if (database_->db().GetIntProperty(rocksdb::DB::Properties::kBlockCacheUsage, &cache)) {
      stats.emplace_back("rocksdb_block_cache_bytes", cache);
    }
    const rocksdb::Statistics& tickers = database_->statistics();
    stats.emplace_back("wal_syncs", tickers.getTickerCount(rocksdb::WAL_FILE_SYNCED));
    stats.emplace_back("wal_bytes", tickers.getTickerCount(rocksdb::WAL_FILE_BYTES));
    stats.emplace_back("rocksdb_compaction_write_bytes",
                       tickers.getTickerCount(rocksdb::COMPACT_WRITE_BYTES));
    stats.emplace_back("rocksdb_stall_micros", tickers.getTickerCount(rocksdb::STALL_MICROS));
    return stats;
  }

 private:
  // Of the artifacts that a plan names, those that are to become content by it.
  absl::StatusOr<std::vector<StagedArtifact>> StagedOf(const CommitPlan& plan) const {
    std::vector<StagedArtifact> all;
    for (const ArtifactRow& named : plan.artifacts) {
      STELE_ASSIGN_OR_RETURN(const auto stored, staging_.FindStored(named.digest));
      STELE_ASSIGN_OR_RETURN(auto staged, staging_.Find(named.digest));
      STELE_RETURN_IF_ERROR(CheckNamed(named, staged, stored));
      if (!stored) all.push_back(*std::move(staged));
    }
    return all;
  }

  absl::Status Write(const CommitPlan& plan, const std::vector<StagedArtifact>& staged)
      STELE_REQUIRES(mutex_) {
    rocksdb::WriteBatch batch(RoughBytes(plan));
    rocksdb::Status status = FillBatch(plan, staged, *database_, batch);
    if (status.ok()) {
      rocksdb::WriteOptions options;
      options.sync = true;  // durable before the answer: the one line the store is about
      options.disableWAL = false;
      status = database_->db().Write(options, &batch);
    }
    return FromRocksDb(status, Concat("committing size ", plan.head.size.value()));
  }

  const std::filesystem::path dir_;
  const std::shared_ptr<Database> database_;
  const bool read_only_;
  Mutex mutex_;  // held while the write-ahead log is written
  RocksDbStaging staging_;
  std::optional<Head> head_ STELE_GUARDED_BY(mutex_);
};

}  // namespace

absl::StatusOr<std::unique_ptr<Backend>> OpenRocksDb(const RocksDbOptions& options,
                                                     const HeadCheck& head_is_acceptable) {
  return OpenRocksDbOn(rocksdb::Env::Default(), options, head_is_acceptable);
}

absl::StatusOr<std::unique_ptr<Backend>> OpenRocksDbOn(rocksdb::Env* env,
                                                       const RocksDbOptions& options,
                                                       const HeadCheck& head_is_acceptable) {
  STELE_ASSIGN_OR_RETURN(Opened opened, OpenDatabase(env, options, head_is_acceptable));
  return std::make_unique<RocksDbBackend>(options.dir, std::move(opened.database),
                                          std::move(opened.head), options.read_only);
}

std::unique_ptr<Backend> MakeReadOnlyBackend(const std::filesystem::path& dir,
                                             std::shared_ptr<Database> database) {
  return std::make_unique<RocksDbBackend>(dir, std::move(database), std::nullopt, true);
}

}  // namespace stele::store
