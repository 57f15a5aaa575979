#include "store/backend/rocksdb/tuning.h"

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/statistics.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>

#include "core/crypto/digest.h"
#include "store/backend/rocksdb/families.h"
#include "store/backend/rocksdb/file_sum.h"

namespace stele::store {
namespace {

constexpr size_t kMemtables = 4;             // times write_buffer_bytes, of all families
constexpr uint64_t kWalBytes = 16ull << 20;  // replayed and flushed by the start after a kill
constexpr uint64_t kMinBlobBytes = 512;      // shorter content stays in the tree
constexpr int kBloomBits = 10;               // for each key: 1% false positives
constexpr int kReplayBloomBits = 16;         // 0.05%
constexpr double kMemtableBloom = 0.1;       // of a memtable, for its filter
constexpr int kRunsToMerge = 8;
constexpr int kReplayRunsToMerge = 4;       // each run is asked for each statement
constexpr uint64_t kPieceBytes = 16 << 10;  // of a filter or an index: few to look among

rocksdb::CompressionType FirstSupported(std::initializer_list<rocksdb::CompressionType> wanted) {
  const auto built_in = rocksdb::GetSupportedCompressions();
  for (rocksdb::CompressionType type : wanted) {
    if (std::find(built_in.begin(), built_in.end(), type) != built_in.end()) return type;
  }
  return rocksdb::kNoCompression;
}

rocksdb::BlockBasedTableOptions Table(std::shared_ptr<rocksdb::Cache> cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = std::move(cache);
  table.block_size = 16 << 10;
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;
  // Indexes and filters live in the cache, in pieces, so that memory does not grow with the log.
  table.cache_index_and_filter_blocks = true;
  table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
  table.partition_filters = true;
  table.metadata_block_size = kPieceBytes;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.pin_top_level_index_and_filter = true;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBits));
  return table;
}

rocksdb::ColumnFamilyOptions Common(const rocksdb::BlockBasedTableOptions& table,
                                    size_t write_buffer_bytes) {
  rocksdb::ColumnFamilyOptions family;
  family.write_buffer_size = write_buffer_bytes;
  // Writes wait while flushing lags: what is not flushed is what the start after a kill replays.
  family.max_write_buffer_number = 2;
  // Hardly anything is overwritten or deleted: runs are merged with runs of about their size.
  // Leveled, each table of random keys would be merged with all of the level below.
  family.compaction_style = rocksdb::kCompactionStyleUniversal;
  family.compaction_options_universal.allow_trivial_move = true;
  family.level0_file_num_compaction_trigger = kRunsToMerge;
  family.compression = FirstSupported({rocksdb::kLZ4Compression, rocksdb::kSnappyCompression});
  family.bottommost_compression = FirstSupported({rocksdb::kZSTD, rocksdb::kLZ4Compression});
  family.paranoid_file_checks = false;  // reads verify anyway, and writing twice costs
  family.force_consistency_checks = true;
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return family;
}

// Content is written once under random keys: kept out of the tree, it is not rewritten by
// compaction.
rocksdb::ColumnFamilyOptions Content(rocksdb::ColumnFamilyOptions family) {
  family.enable_blob_files = true;
  family.min_blob_size = kMinBlobBytes;
  family.blob_file_size = 64ull << 20;
  family.blob_compression_type = FirstSupported({rocksdb::kLZ4Compression});
  family.bottommost_compression = family.compression;  // digests and places in blob files
  return family;
}

// Written in the order of their keys: tables do not overlap and are moved down as they are, so what
// compresses them is what compressed them first.
rocksdb::ColumnFamilyOptions Entries(rocksdb::ColumnFamilyOptions family) {
  family.bottommost_compression = family.compression;
  return family;
}

// Asked for every statement that comes in, and the answer is nearly always "none": the memtable
// gets a filter as well, and the tables a sharper one. Nothing but hashes, so nothing to compress.
rocksdb::ColumnFamilyOptions Replays(rocksdb::ColumnFamilyOptions family,
                                     rocksdb::BlockBasedTableOptions table) {
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kReplayBloomBits));
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  family.level0_file_num_compaction_trigger = kReplayRunsToMerge;
  family.memtable_whole_key_filtering = true;
  family.memtable_prefix_bloom_size_ratio = kMemtableBloom;
  family.compression = family.bottommost_compression = rocksdb::kNoCompression;
  return family;
}

// All rows of one digest are found by it, and its filter answers "none" without a read.
rocksdb::ColumnFamilyOptions UnderDigest(rocksdb::ColumnFamilyOptions family,
                                         rocksdb::BlockBasedTableOptions table) {
  family.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(Digest::kBytes));
  table.whole_key_filtering = false;
  family.memtable_prefix_bloom_size_ratio = kMemtableBloom;
  family.compression = family.bottommost_compression = rocksdb::kNoCompression;  // mostly hashes
  family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return family;
}

rocksdb::DBOptions Database(const RocksDbOptions& options, rocksdb::Env* env,
                            std::shared_ptr<rocksdb::Cache> cache) {
  rocksdb::DBOptions db;
  db.env = env;
  db.paranoid_checks = true;
  db.max_background_jobs = 4;  // one flush; a long merge beside short ones
  db.max_subcompactions = 1;
  db.max_open_files = options.read_only ? -1 : 512;
  db.max_file_opening_threads = 2;
  db.max_total_wal_size = kWalBytes;
  db.track_and_verify_wals_in_manifest = true;
  // Of every table and blob file as a whole, in the manifest: for fsck.
  db.file_checksum_gen_factory = FileSums();
  db.bytes_per_sync = 1 << 20;
  db.avoid_unnecessary_blocking_io = !options.read_only;  // read-only it would assert
  db.max_bgerror_resume_count = 0;
  db.stats_dump_period_sec = 0;
  db.stats_persist_period_sec = 0;
  // Not its allow_stall: a writer that waits there is not woken when flushing fails for good.
  db.write_buffer_manager = std::make_shared<rocksdb::WriteBufferManager>(
      kMemtables * options.write_buffer_bytes, std::move(cache));
  db.statistics = rocksdb::CreateDBStatistics();
  db.statistics->set_stats_level(rocksdb::StatsLevel::kExceptHistogramOrTimers);
  return db;
}

}  // namespace

Tuning MakeTuning(const RocksDbOptions& options, rocksdb::Env* env) {
  // Memtables are charged to the cache: room for both.
  auto cache = rocksdb::NewLRUCache(options.cache_bytes + kMemtables * options.write_buffer_bytes);
  const auto table = Table(cache);
  const size_t small = std::max<size_t>(options.write_buffer_bytes / 4, 64 << 10);
  Tuning tuning{.db = Database(options, env, cache), .families = {}};
  for (size_t i = 0; i < kFamilyNames.size(); ++i) {
    const auto family = static_cast<Family>(i);
    const bool raw = family == Family::kContent || family == Family::kChunks;
    const bool large = raw || family == Family::kEntries;
    auto made = Common(table, large ? options.write_buffer_bytes : small);
    if (raw) made = Content(std::move(made));
    if (family == Family::kEntries) made = Entries(std::move(made));
    if (family == Family::kReplays) made = Replays(std::move(made), table);
    if (family == Family::kPublications || family == Family::kSubjects) {
      made = UnderDigest(std::move(made), table);
    }
    tuning.families.emplace_back(kFamilyNames[i], std::move(made));
  }
  return tuning;
}

}  // namespace stele::store
