#include "store/backend/rocksdb/database.h"

#include <utility>

#include "core/base/concat.h"
#include "store/backend/rocksdb/event_logger.h"
#include "store/backend/rocksdb/tuning.h"

namespace stele::store {

std::shared_ptr<Database> Database::Open(const RocksDbOptions& options, rocksdb::Env* env,
                                         Mode mode, rocksdb::WALRecoveryMode recovery,
                                         Failure& failure) {
  std::shared_ptr<Database> database(new Database);
  database->chain_ = std::make_unique<WalChain>();
  Tuning tuning = MakeTuning(options, env);
  tuning.db.create_if_missing = mode == Mode::kCreate;
  // A store of an earlier Stele has fewer families.
  tuning.db.create_missing_column_families = mode != Mode::kRead;
  tuning.db.error_if_exists = mode == Mode::kCreate;
  tuning.db.wal_recovery_mode = recovery;
  // What is refused after opening is left as it was found: the log is not flushed away by opening.
  tuning.db.avoid_flush_during_recovery =
      recovery == rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  tuning.db.wal_filter = database->chain_.get();
  tuning.db.info_log = std::make_shared<EventLogger>(options.log);
  tuning.db.listeners.push_back(PoisonOnBackgroundError(database->poison_));
  database->statistics_ = tuning.db.statistics;
  database->log_ = options.log;

  rocksdb::DB* db = nullptr;
  const std::string dir = options.dir.string();
  failure.status =
      mode == Mode::kRead
          ? rocksdb::DB::OpenForReadOnly(tuning.db, dir, tuning.families, &database->families_, &db)
          : rocksdb::DB::Open(tuning.db, dir, tuning.families, &database->families_, &db);
  failure.hole = database->chain_->hole();
  database->db_.reset(db);
  if (!failure.status.ok()) return nullptr;
  return database;
}

Database::~Database() {
  if (!db_) return;
  for (rocksdb::ColumnFamilyHandle* handle : families_) {
    db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  const rocksdb::Status closed = db_->Close();
  // Every commit was synchronised: nothing is lost by a close that fails.
  if (!closed.ok() && log_) log_("warning", Concat("rocksdb: closing: ", closed.ToString()));
}

}  // namespace stele::store
