#include "store/backend/rocksdb/opening.h"

#include <utility>

#include "core/base/concat.h"
#include "core/base/refusal.h"
#include "core/base/status_macros.h"
#include "store/backend/rocksdb/status.h"

namespace stele::store {
namespace {

bool HeldByAnother(const rocksdb::Status& status) {
  return status.ToString().find("While lock file") != std::string::npos;
}

}  // namespace

std::string Describe(const Database::Failure& failure) {
  return failure.hole.empty() ? failure.status.ToString() : failure.hole;
}

bool HeldByThisProcess(const rocksdb::Status& status) {
  return status.ToString().find("lock hold by current process") != std::string::npos;
}

absl::Status ToStatus(const RocksDbOptions& options, const Database::Failure& failure) {
  const std::string dir = options.dir.string();
  if (HeldByAnother(failure.status)) {
    return absl::FailedPreconditionError(
        Concat("another process holds ", dir, "; one process writes a store at a time"));
  }
  if (HeldByThisProcess(failure.status)) {
    return absl::FailedPreconditionError(Concat("this process still holds ", dir, " open"));
  }
  if (failure.status.IsInvalidArgument()) {
    return absl::FailedPreconditionError(
        Concat(dir, " is not a store of this version of Stele (", failure.status.ToString(), ")"));
  }
  if (failure.status.IsCorruption()) {
    return Refuse(
        absl::StatusCode::kDataLoss, reason::kDamaged, "",
        Concat(dir, " is damaged: ", Describe(failure), "; restore it from a backup or a mirror"));
  }
  return FromRocksDb(failure.status, Concat("opening ", dir));
}

absl::StatusOr<Opened> Accept(std::shared_ptr<Database> database, const std::filesystem::path& dir,
                              const HeadCheck& check) {
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<const Snapshot> snapshot, Database::Take(database));
  if (!snapshot->head()) {
    return absl::FailedPreconditionError(Concat(
        dir.string(), " holds no log: its creation never finished; remove it and make it again"));
  }
  if (check) STELE_RETURN_IF_ERROR(check(*snapshot));
  return Opened{std::move(database), snapshot->head()};
}

}  // namespace stele::store
