#include "store/reindex.h"

#include <memory>
#include <string>
#include <utility>

#include "core/base/status_macros.h"
#include "core/crypto/digest.h"
#include "store/backend/rocksdb/inspect.h"
#include "store/backend/rocksdb/rocksdb_backend.h"
#include "store/backend/rocksdb/rocksdb_index.h"
#include "store/index/index_keys.h"
#include "store/indexer/applier.h"

namespace stele::store {
namespace {

absl::Status Count(const IndexSnapshot& index, ReindexReport& report) {
  std::string cohort;  // that of the row before
  const std::unique_ptr<IndexCursor> cursor = index.NewCursor();
  for (cursor->Seek(RecordsPrefix()); cursor->valid(); cursor->Next()) {
    ++report.rows;
    const std::string_view key = cursor->key();
    switch (key.front()) {
      case 'A':
        ++report.records;
        break;
      case 'C':
        if (key.substr(0, 1 + Digest::kBytes) != cohort) {
          ++report.cohorts;
          cohort = key.substr(0, 1 + Digest::kBytes);
        }
        break;
      case 'R':
        ++report.references;
        break;
      case 'U':
        ++report.runs;
        break;
      default:
        break;
    }
  }
  return cursor->status();
}

}  // namespace

absl::StatusOr<ReindexReport> Reindex(const ReindexOptions& options) {
  const StorePaths paths = PathsOf(options.dir, {});
  STELE_RETURN_IF_ERROR(CheckStoreFolder(paths));
  STELE_ASSIGN_OR_RETURN(const std::unique_ptr<FolderLock> lock, LockFolder(paths.db));
  RocksDbOptions db;
  db.dir = paths.db;
  db.read_only = true;
  db.log = options.log;
  STELE_ASSIGN_OR_RETURN(const std::unique_ptr<Backend> backend, OpenRocksDb(db, nullptr));
  STELE_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> log, backend->GetSnapshot());
  STELE_ASSIGN_OR_RETURN(
      const std::unique_ptr<IndexStore> index,
      OpenRocksDbIndex({.dir = paths.index, .create = true, .log = options.log}));
  ReindexReport report{.entries = log->head()->size.value()};
  IndexApplier applier(*index, {}, nullptr);
  while (applier.position().applied < log->head()->size) {
    STELE_RETURN_IF_ERROR(applier.ApplyBatch(*log));
    if (options.progress) options.progress(applier.position().applied.value(), report.entries);
  }
  STELE_ASSIGN_OR_RETURN(const auto rows, index->GetSnapshot());
  STELE_RETURN_IF_ERROR(Count(*rows, report));
  return report;
}

}  // namespace stele::store
