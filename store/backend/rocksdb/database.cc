#include "store/backend/rocksdb/database.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "store/backend/rocksdb/event_logger.h"
#include "store/backend/rocksdb/tuning.h"

namespace stele::store {
namespace {

using Families = std::vector<rocksdb::ColumnFamilyDescriptor>;

// Without those that the store may be without and is. What cannot be listed opening says better.
Families ThoseThere(const rocksdb::DBOptions& options, const std::string& dir,
                    const Families& all) {
  std::vector<std::string> names;
  if (!rocksdb::DB::ListColumnFamilies(options, dir, &names).ok()) return all;
  Families there;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool needed = i < static_cast<size_t>(kFirstLaterFamily);
    if (needed || std::find(names.begin(), names.end(), all[i].name) != names.end()) {
      there.push_back(all[i]);
    }
  }
  return there;
}

}  // namespace

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

  const std::string dir = options.dir.string();
  const bool reading = mode == Mode::kRead;
  failure.status = database->OpenFamilies(
      tuning.db, dir, reading ? ThoseThere(tuning.db, dir, tuning.families) : tuning.families,
      reading);
  failure.hole = database->chain_->hole();
  if (!failure.status.ok()) return nullptr;
  return database;
}

rocksdb::Status Database::OpenFamilies(const rocksdb::DBOptions& options, const std::string& dir,
                                       const Families& families, bool reading) {
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  const rocksdb::Status status =
      reading ? rocksdb::DB::OpenForReadOnly(options, dir, families, &handles, &db)
              : rocksdb::DB::Open(options, dir, families, &handles, &db);
  db_.reset(db);
  for (rocksdb::ColumnFamilyHandle* handle : handles) {
    const auto name = std::find(kFamilyNames.begin(), kFamilyNames.end(), handle->GetName());
    families_[static_cast<size_t>(name - kFamilyNames.begin())] = handle;
  }
  return status;
}

Database::~Database() {
  if (!db_) return;
  for (rocksdb::ColumnFamilyHandle* handle : families_) {
    if (handle != nullptr) db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
  }
  const rocksdb::Status closed = db_->Close();
  // Every commit was synchronised: nothing is lost by a close that fails.
  if (!closed.ok() && log_) log_("warning", Concat("rocksdb: closing: ", closed.ToString()));
}

}  // namespace stele::store
