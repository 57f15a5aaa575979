#include "store/backend/rocksdb/inspect.h"

#include <rocksdb/env.h>

#include <system_error>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/backend/rocksdb/file_check.h"
#include "store/backend/rocksdb/open.h"
#include "store/backend/rocksdb/opening.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;

// What of a database with a damaged write-ahead log comes before the damage.
std::shared_ptr<Database> OpenUpToDamage(const RocksDbOptions& options) {
  Database::Failure failure;
  return Database::Open(options, rocksdb::Env::Default(), Database::Mode::kRead,
                        rocksdb::WALRecoveryMode::kPointInTimeRecovery, failure);
}

// A writer may have replaced tables while we read: those count that a second look still misses.
absl::Status CheckTables(const Database& database, const RocksDbOptions& options,
                         FileCheck& check) {
  STELE_ASSIGN_OR_RETURN(std::set<std::string> missing, check.CheckTables(database));
  if (missing.empty()) return absl::OkStatus();
  absl::StatusOr<Opened> again = OpenDatabase(rocksdb::Env::Default(), options, nullptr);
  const std::set<std::string> live = TablesOf(again.ok() ? *again->database : database);
  for (const std::string& file : missing) {
    if (live.contains(file)) check.Missing(file);
  }
  return absl::OkStatus();
}

class HeldFolder final : public FolderLock {
 public:
  explicit HeldFolder(rocksdb::FileLock* lock) : lock_(lock) {}
  ~HeldFolder() override { rocksdb::Env::Default()->UnlockFile(lock_).PermitUncheckedError(); }

 private:
  rocksdb::FileLock* const lock_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<FolderLock>> LockFolder(const fs::path& dir) {
  rocksdb::FileLock* lock = nullptr;
  const rocksdb::Status status = rocksdb::Env::Default()->LockFile((dir / "LOCK").string(), &lock);
  if (!status.ok()) return ToStatus({.dir = dir}, {status, ""});
  return std::make_unique<HeldFolder>(lock);
}

std::unique_ptr<Backend> OpenForSalvage(const RocksDbOptions& given) {
  RocksDbOptions options = given;
  options.read_only = true;
  absl::StatusOr<Opened> opened = OpenDatabase(rocksdb::Env::Default(), options, nullptr);
  std::shared_ptr<Database> database =
      opened.ok() ? std::move(opened->database) : OpenUpToDamage(options);
  if (database == nullptr) return nullptr;
  return MakeReadOnlyBackend(options.dir, std::move(database));
}

absl::StatusOr<RocksDbInspection> InspectRocksDb(const RocksDbOptions& given,
                                                 const std::function<void(uint64_t)>& progress) {
  RocksDbOptions options = given;
  options.read_only = true;
  std::error_code error;
  if (!fs::is_directory(options.dir, error)) {
    return absl::NotFoundError(Concat("there is no folder ", options.dir.string()));
  }
  FileCheck check(options.dir, progress);
  STELE_RETURN_IF_ERROR(check.CheckLogFiles());
  RocksDbInspection inspection;
  absl::StatusOr<Opened> opened = OpenDatabase(rocksdb::Env::Default(), options, nullptr);
  inspection.opened = opened.status();
  std::shared_ptr<Database> database =
      opened.ok() ? std::move(opened->database) : OpenUpToDamage(options);
  if (absl::IsUnavailable(inspection.opened)) return inspection.opened;
  if (database == nullptr) {
    STELE_RETURN_IF_ERROR(check.CheckTablesAlone());
  } else {
    STELE_RETURN_IF_ERROR(CheckTables(*database, options, check));
    inspection.backend = MakeReadOnlyBackend(options.dir, std::move(database));
  }
  inspection.files = std::move(check.found());
  return inspection;
}

}  // namespace stele::store
