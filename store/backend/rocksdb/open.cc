#include "store/backend/rocksdb/open.h"

#include <rocksdb/env.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/backend/rocksdb/folder.h"
#include "store/backend/rocksdb/log_file.h"
#include "store/backend/rocksdb/opening.h"
#include "store/backend/rocksdb/status.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;
using Mode = Database::Mode;
using rocksdb::WALRecoveryMode;

constexpr auto kTailTolerant = WALRecoveryMode::kTolerateCorruptedTailRecords;
constexpr auto kLastGoodPoint = WALRecoveryMode::kPointInTimeRecovery;

// Opens for writing, waiting for readers of an earlier handle to let go.
std::shared_ptr<Database> OpenForWriting(rocksdb::Env* env, const RocksDbOptions& options,
                                         WALRecoveryMode recovery, Database::Failure& failure) {
  const auto deadline = std::chrono::steady_clock::now() + options.close_wait;
  for (;;) {
    auto database = Database::Open(options, env, Mode::kWrite, recovery, failure);
    if (database != nullptr || !HeldByThisProcess(failure.status) ||
        std::chrono::steady_clock::now() >= deadline) {
      return database;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// Then what came out of the log goes to tables. Only now, so that a refused store is left as it was
// found; and before the first commit, so that no log file of an earlier run is needed any more:
// RocksDB remembers in its manifest which logs it closed while running, and notices when one is
// gone or cut, but not those that a crash closed.
absl::StatusOr<Opened> AcceptForWriting(std::shared_ptr<Database> database, const fs::path& dir,
                                        const HeadCheck& check) {
  STELE_ASSIGN_OR_RETURN(Opened opened, Accept(std::move(database), dir, check));
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  for (size_t i = 0; i < kFamilyNames.size(); ++i) {
    families.push_back(opened.database->family(static_cast<Family>(i)));
  }
  const absl::Status flushed =
      FromRocksDb(opened.database->db().Flush(rocksdb::FlushOptions(), families),
                  Concat("flushing the log of ", dir.string()));
  if (ReasonOf(flushed) != reason::kDiskFull) STELE_RETURN_IF_ERROR(flushed);
  if (!flushed.ok()) opened.database->poison().Set(flushed);  // good for reading
  return opened;
}

absl::StatusOr<Opened> Create(rocksdb::Env* env, const RocksDbOptions& options) {
  STELE_RETURN_IF_ERROR(MakeEmptyFolder(options.dir));
  Database::Failure failure;
  auto database = Database::Open(options, env, Mode::kCreate, kTailTolerant, failure);
  if (database == nullptr) return ToStatus(options, failure);
  return Opened{std::move(database), std::nullopt};
}

// The lock of the folder, held while it is looked at without being opened for writing.
class FolderLock {
 public:
  FolderLock(rocksdb::Env* env, const fs::path& dir)
      : env_(env), status_(env->LockFile((dir / "LOCK").string(), &lock_)) {}
  ~FolderLock() {
    if (lock_ != nullptr) env_->UnlockFile(lock_).PermitUncheckedError();
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  const rocksdb::Status& status() const { return status_; }

 private:
  rocksdb::Env* const env_;
  rocksdb::FileLock* lock_ = nullptr;
  const rocksdb::Status status_;
};

// Whether the last good point of a damaged store is enough; nothing is written.
absl::Status LookAtLastGoodPoint(rocksdb::Env* env, const RocksDbOptions& options,
                                 const std::string& damage, const HeadCheck& check) {
  RocksDbOptions reading = options;
  reading.read_only = true;
  Database::Failure failure;
  auto database = Database::Open(reading, env, Mode::kRead, kLastGoodPoint, failure);
  if (database == nullptr) return ToStatus(options, failure);
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot, Database::Take(database));
  absl::Status accepted = absl::FailedPreconditionError("no log is left at all");
  if (snapshot->head()) accepted = check ? check(*snapshot) : absl::OkStatus();
  if (accepted.ok()) return absl::OkStatus();
  const uint64_t size = snapshot->head() ? snapshot->head()->size.value() : 0;
  return Refuse(
      absl::StatusCode::kDataLoss, reason::kDamaged, "",
      Concat(options.dir.string(), " is damaged (", damage, "); its last good point, size ", size,
             ", is not enough: ", accepted.ToString(),
             "; nothing was changed, restore it from a backup or a mirror"));
}

absl::StatusOr<Opened> Recover(rocksdb::Env* env, const RocksDbOptions& options,
                               const Database::Failure& found, const HeadCheck& check) {
  const std::string damage = Describe(found);
  {
    FolderLock lock(env, options.dir);
    if (!lock.status().ok()) return ToStatus(options, {lock.status(), ""});
    STELE_RETURN_IF_ERROR(LookAtLastGoodPoint(env, options, damage, check));
    STELE_ASSIGN_OR_RETURN(fs::path aside, CopyLogsAside(options.dir));
    if (options.log) {
      options.log("warning", Concat("the write-ahead log is damaged (", damage,
                                    ") behind everything acknowledged; copied to ", aside.string(),
                                    ", going on from the last good point"));
    }
  }
  Database::Failure failure;
  auto database = OpenForWriting(env, options, kLastGoodPoint, failure);
  if (database == nullptr) return ToStatus(options, failure);
  return AcceptForWriting(std::move(database), options.dir, check);
}

// RocksDB takes a changed length near the manifest's end for a torn tail and drops what comes after
// it: whole tables. A real torn tail passes. What cannot be read here RocksDB says better.
absl::Status CheckManifest(const fs::path& dir) {
  std::ifstream current(dir / "CURRENT");
  std::string name;
  std::getline(current, name);
  if (!name.starts_with("MANIFEST-") || name.find('/') != std::string::npos) {
    return absl::OkStatus();
  }
  const absl::StatusOr<LogFileCheck> check = CheckLogFile(dir / name);
  if (!check.ok() || !check->damage) return absl::OkStatus();
  return Refuse(absl::StatusCode::kDataLoss, reason::kDamaged, "",
                Concat((dir / name).string(), " is damaged at byte ", check->damage->at, " (",
                       check->damage->what,
                       "); nothing was changed, repair it from a mirror or restore a backup"));
}

}  // namespace

absl::StatusOr<Opened> OpenDatabase(rocksdb::Env* env, const RocksDbOptions& options,
                                    const HeadCheck& check) {
  if (options.create) return Create(env, options);
  std::error_code error;
  if (!fs::exists(options.dir / "CURRENT", error)) {
    return absl::NotFoundError(Concat("there is no store in ", options.dir.string()));
  }
  if (options.read_only) return OpenForReading(env, options, check);
  STELE_RETURN_IF_ERROR(CheckManifest(options.dir));
  Database::Failure failure;
  auto database = OpenForWriting(env, options, kTailTolerant, failure);
  if (database != nullptr) return AcceptForWriting(std::move(database), options.dir, check);
  if (failure.status.IsCorruption()) return Recover(env, options, failure, check);
  return ToStatus(options, failure);
}

}  // namespace stele::store
