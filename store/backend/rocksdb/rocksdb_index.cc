#include "store/backend/rocksdb/rocksdb_index.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <system_error>
#include <thread>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/backend/rocksdb/event_logger.h"
#include "store/backend/rocksdb/opening.h"
#include "store/backend/rocksdb/poison.h"
#include "store/backend/rocksdb/status.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;
using rocksdb::Slice;

// Before every table: no row begins so.
constexpr std::string_view kPositionKey("\0position", 9);
constexpr int kBloomBits = 10;
constexpr double kMemtableBloom = 0.1;      // of a memtable, for its filter
constexpr uint64_t kPieceBytes = 16 << 10;  // of a filter, of an index
constexpr int kPoolThreads = 2;

Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view View(const Slice& slice) { return {slice.data(), slice.size()}; }

rocksdb::Options MakeOptions(const RocksDbIndexOptions& from, std::shared_ptr<Poison> poison) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(from.cache_bytes);
  table.block_size = 16 << 10;
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;
  table.cache_index_and_filter_blocks = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = kPieceBytes;
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBits));
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.create_if_missing = from.create;
  options.error_if_exists = from.create;
  options.paranoid_checks = true;
  options.write_buffer_size = from.write_buffer_bytes;
  options.max_write_buffer_number = 2;
  options.memtable_whole_key_filtering = true;
  options.memtable_prefix_bloom_size_ratio = kMemtableBloom;
  options.level_compaction_dynamic_level_bytes = true;
  options.compression = rocksdb::kLZ4Compression;
  options.max_background_jobs = 1;
  options.max_subcompactions = 1;
  options.max_open_files = from.read_only ? -1 : 128;
  options.max_file_opening_threads = 1;
  options.bytes_per_sync = 1 << 20;
  // A reader has no background to leave anything to: Debian's RocksDB asserts that.
  options.avoid_unnecessary_blocking_io = !from.read_only;
  options.max_bgerror_resume_count = 0;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.info_log = std::make_shared<EventLogger>(from.log);
  options.listeners.push_back(PoisonOnBackgroundError(std::move(poison)));
  return options;
}

// Owned jointly by the handle and its snapshots; closed when the last of them goes.
class IndexDb {
 public:
  static rocksdb::Status Open(const RocksDbIndexOptions& from, std::shared_ptr<IndexDb>& out) {
    auto made = std::make_shared<IndexDb>();
    made->writes_ = !from.read_only;
    if (made->writes_) {
      // The threads are shared with the log's database, whose flushes must not wait for these.
      for (const auto pool : {rocksdb::Env::Priority::HIGH, rocksdb::Env::Priority::LOW}) {
        rocksdb::Env::Default()->IncBackgroundThreadsIfNeeded(kPoolThreads, pool);
      }
    }
    const rocksdb::Options options = MakeOptions(from, made->poison_);
    rocksdb::DB* db = nullptr;
    const rocksdb::Status status = from.read_only
                                       ? rocksdb::DB::OpenForReadOnly(options, from.dir, &db)
                                       : rocksdb::DB::Open(options, from.dir, &db);
    made->db_.reset(db);
    if (status.ok()) out = std::move(made);
    return status;
  }
  ~IndexDb() {
    if (!db_) return;
    // What is lost is derived again.
    if (writes_) db_->Flush(rocksdb::FlushOptions()).PermitUncheckedError();
    db_->Close().PermitUncheckedError();
  }
  rocksdb::DB& db() const { return *db_; }
  Poison& poison() const { return *poison_; }

 private:
  const std::shared_ptr<Poison> poison_ = std::make_shared<Poison>();
  bool writes_ = false;
  std::unique_ptr<rocksdb::DB> db_;
};

class Cursor final : public IndexCursor {
 public:
  explicit Cursor(std::unique_ptr<rocksdb::Iterator> it) : it_(std::move(it)) {}
  void Seek(std::string_view key) override { it_->Seek(ToSlice(key)); }
  void Next() override { it_->Next(); }
  bool valid() const override { return it_->Valid(); }
  std::string_view key() const override { return View(it_->key()); }
  std::string_view value() const override { return View(it_->value()); }
  absl::Status status() const override { return FromRocksDb(it_->status(), "reading the index"); }

 private:
  const std::unique_ptr<rocksdb::Iterator> it_;
};

class RocksDbIndexSnapshot final : public IndexSnapshot {
 public:
  explicit RocksDbIndexSnapshot(std::shared_ptr<const IndexDb> db)
      : db_(std::move(db)), snapshot_(db_->db().GetSnapshot()) {}
  ~RocksDbIndexSnapshot() override { db_->db().ReleaseSnapshot(snapshot_); }

  // An index without a position is one that has just been made.
  absl::Status ReadPosition() {
    STELE_ASSIGN_OR_RETURN(const std::optional<std::string> frame, Get(kPositionKey));
    if (!frame) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(position_, DecodeIndexPosition(*frame));
    return absl::OkStatus();
  }
  const IndexPosition& position() const override { return position_; }

  absl::StatusOr<std::optional<std::string>> Get(std::string_view key) const override {
    std::string value;
    const rocksdb::Status status = db_->db().Get(Options(), ToSlice(key), &value);
    if (status.IsNotFound()) return std::optional<std::string>();
    if (!status.ok()) return FromRocksDb(status, Concat("reading ", NameOfIndexRow(key)));
    return std::optional(std::move(value));
  }
  absl::StatusOr<std::vector<std::optional<std::string>>> GetMany(
      const std::vector<std::string>& keys) const override {
    std::vector<Slice> wanted;
    wanted.reserve(keys.size());
    for (const std::string& key : keys) wanted.push_back(ToSlice(key));
    std::vector<rocksdb::PinnableSlice> found(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    db_->db().MultiGet(Options(), db_->db().DefaultColumnFamily(), keys.size(), wanted.data(),
                       found.data(), statuses.data());
    std::vector<std::optional<std::string>> values(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      if (!statuses[i].ok()) {
        return FromRocksDb(statuses[i], Concat("reading ", NameOfIndexRow(keys[i])));
      }
      values[i].emplace(View(found[i]));
    }
    return values;
  }
  std::unique_ptr<IndexCursor> NewCursor() const override {
    return std::make_unique<Cursor>(
        std::unique_ptr<rocksdb::Iterator>(db_->db().NewIterator(Options())));
  }

 private:
  rocksdb::ReadOptions Options() const {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot_;
    options.verify_checksums = true;
    return options;
  }

  const std::shared_ptr<const IndexDb> db_;
  const rocksdb::Snapshot* const snapshot_;
  IndexPosition position_;
};

class RocksDbIndex final : public IndexStore {
 public:
  explicit RocksDbIndex(std::shared_ptr<IndexDb> db) : db_(std::move(db)) {}

  absl::StatusOr<std::shared_ptr<const IndexSnapshot>> GetSnapshot() const override {
    auto snapshot = std::make_shared<RocksDbIndexSnapshot>(db_);
    STELE_RETURN_IF_ERROR(snapshot->ReadPosition());
    return snapshot;
  }

  absl::Status Write(const IndexRows& rows, const IndexPosition& position) override {
    STELE_RETURN_IF_ERROR(db_->poison().cause());
    rocksdb::WriteBatch batch;
    rocksdb::Status status = batch.Put(ToSlice(kPositionKey), EncodeIndexPosition(position));
    for (auto row = rows.begin(); row != rows.end() && status.ok(); ++row) {
      status = batch.Put(row->first, row->second);
    }
    rocksdb::WriteOptions options;
    options.sync = false;
    options.disableWAL = true;
    if (status.ok()) status = db_->db().Write(options, &batch);
    const absl::Status written = FromRocksDb(status, "writing the index");
    if (!written.ok()) db_->poison().Set(written);
    return written;
  }

  std::vector<std::pair<std::string, uint64_t>> Stats() const override {
    std::vector<std::pair<std::string, uint64_t>> stats;
    const auto property = [&](const char* name, const std::string& key) {
      uint64_t value = 0;
      if (db_->db().GetIntProperty(key, &value)) stats.emplace_back(name, value);
    };
    property("index_memtable_bytes", rocksdb::DB::Properties::kSizeAllMemTables);
    property("index_sst_bytes", rocksdb::DB::Properties::kTotalSstFilesSize);
    property("index_block_cache_bytes", rocksdb::DB::Properties::kBlockCacheUsage);
    return stats;
  }

 private:
  const std::shared_ptr<IndexDb> db_;
};

absl::Status ToStatus(const RocksDbIndexOptions& options, const rocksdb::Status& status) {
  if (HeldByThisProcess(status) || status.ToString().find("While lock file") != std::string::npos) {
    return absl::UnavailableError(Concat("something still holds ", options.dir.string()));
  }
  return FromRocksDb(status, Concat("opening the index in ", options.dir.string()));
}

// A handle of before may be closing.
rocksdb::Status WaitFor(const RocksDbIndexOptions& options, std::shared_ptr<IndexDb>& db) {
  const auto deadline = std::chrono::steady_clock::now() + options.close_wait;
  for (;;) {
    rocksdb::Status status = IndexDb::Open(options, db);
    if (status.ok() || !HeldByThisProcess(status) || std::chrono::steady_clock::now() >= deadline) {
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Under its own lock, which is RocksDB's: a handle of this process that is still open, or another
// process, keeps its files.
absl::Status ThrowAway(const RocksDbIndexOptions& options) {
  std::error_code error;
  if (!fs::exists(options.dir, error)) return absl::OkStatus();
  rocksdb::Env* const env = rocksdb::Env::Default();
  const std::string lock_name = (options.dir / "LOCK").string();
  const auto deadline = std::chrono::steady_clock::now() + options.close_wait;
  rocksdb::FileLock* lock = nullptr;
  rocksdb::Status locked = env->LockFile(lock_name, &lock);
  while (HeldByThisProcess(locked) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    locked = env->LockFile(lock_name, &lock);
  }
  if (!locked.ok() && fs::is_directory(options.dir, error)) return ToStatus(options, locked);
  std::error_code failed;
  fs::remove_all(options.dir, failed);
  if (lock != nullptr) env->UnlockFile(lock).PermitUncheckedError();
  if (!failed) return absl::OkStatus();
  return absl::UnavailableError(Concat("removing ", options.dir.string(), ": ", failed.message()));
}

}  // namespace

absl::StatusOr<std::unique_ptr<IndexStore>> OpenRocksDbIndex(const RocksDbIndexOptions& options) {
  std::error_code error;
  if (options.create) {
    STELE_RETURN_IF_ERROR(ThrowAway(options));
    fs::create_directories(options.dir, error);  // RocksDB would, too, with an error in the log
  } else if (!fs::exists(options.dir / "CURRENT", error)) {
    return absl::NotFoundError(Concat("there is no index in ", options.dir.string()));
  }
  std::shared_ptr<IndexDb> db;
  if (const rocksdb::Status status = WaitFor(options, db); !status.ok()) {
    return ToStatus(options, status);
  }
  if (options.verify) {
    const rocksdb::Status verified = db->db().VerifyChecksum(rocksdb::ReadOptions());
    if (!verified.ok()) return ToStatus(options, verified);
  }
  auto index = std::make_unique<RocksDbIndex>(std::move(db));
  STELE_RETURN_IF_ERROR(index->GetSnapshot().status());  // its position can be read
  return index;
}

}  // namespace stele::store
