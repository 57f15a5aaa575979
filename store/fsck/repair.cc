#include "store/fsck/repair.h"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "store/backend/rocksdb/inspect.h"
#include "store/durable_file.h"
#include "store/fsck/guard_look.h"
#include "store/fsck/rebuild.h"
#include "store/fsck/repair_target.h"
#include "store/store_folder.h"

namespace stele::store {
namespace {

namespace fs = std::filesystem;

RocksDbOptions DbOptions(const FsckOptions& options, const fs::path& dir) {
  RocksDbOptions db;
  db.dir = dir;
  db.cache_bytes = options.cache_bytes;
  db.write_buffer_bytes = options.write_buffer_bytes;
  db.log = options.log;
  return db;
}

absl::Status RenameError(const fs::path& path) {
  return absl::UnavailableError(Concat("renaming ", path.string(), ": ", std::strerror(errno)));
}

absl::Status Rename(const fs::path& from, const fs::path& to) {
  return ::rename(from.c_str(), to.c_str()) == 0 ? absl::OkStatus() : RenameError(from);
}

// `made` takes the place of `db`, which stays as `kept`: in one step, or, where the file system has
// none for it, in two.
absl::Status Replace(const fs::path& made, const fs::path& db, const fs::path& kept) {
  STELE_RETURN_IF_ERROR(Rename(made, kept));
  if (::renameat2(AT_FDCWD, kept.c_str(), AT_FDCWD, db.c_str(), RENAME_EXCHANGE) == 0) {
    return absl::OkStatus();
  }
  STELE_RETURN_IF_ERROR(Rename(kept, made));
  std::error_code error;
  if (fs::exists(db, error)) STELE_RETURN_IF_ERROR(Rename(db, kept));
  return Rename(made, db);
}

class StoreRepair {
 public:
  StoreRepair(const RepairOptions& options, RepairSource& source)
      : options_(options.fsck),
        source_(source),
        paths_(PathsOf(options.fsck.dir, options.fsck.guard)),
        new_db_(paths_.dir / "db.repair") {}

  absl::StatusOr<RepairReport> Run() {
    STELE_RETURN_IF_ERROR(Lock());
    FsckOptions first = options_;
    bool database = false, index = false;  // something of it is damaged
    first.found = [&](const Finding& finding) {
      index = index || finding.kind == "index";
      database = database || (finding.kind != "guard" && finding.kind != "key" &&
                              finding.kind != "index" && finding.name != "format");
      if (options_.found) options_.found(finding);
    };
    STELE_ASSIGN_OR_RETURN(report_.before, Fsck(first));
    report_.after = report_.before;
    if (report_.before.findings == 0) return std::move(report_);
    if (database) {
      const absl::Status replaced = ReplaceDatabase();
      std::error_code ignored;
      fs::remove_all(new_db_, ignored);
      STELE_RETURN_IF_ERROR(replaced);
    }
    // Derived anew at the next start: also from content that was not there before.
    if (database || index) STELE_RETURN_IF_ERROR(RemoveIndex());
    STELE_RETURN_IF_ERROR(MendGuard());
    STELE_ASSIGN_OR_RETURN(report_.after, Fsck(options_));
    return std::move(report_);
  }

 private:
  // The guard's lock and the database's: whatever of the two is left keeps writers out.
  absl::Status Lock() {
    absl::StatusOr<std::unique_ptr<Guard>> guard = Guard::Open(paths_.guard);
    if (guard.ok()) {
      guard_ = *std::move(guard);
    } else if (!absl::IsNotFound(guard.status()) && !absl::IsDataLoss(guard.status())) {
      return guard.status();
    }
    std::error_code error;
    if (!fs::is_directory(paths_.db, error)) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(lock_, LockFolder(paths_.db));
    return absl::OkStatus();
  }

  absl::Status ReplaceDatabase() {
    std::shared_ptr<const Snapshot> old = OldSnapshot();
    STELE_ASSIGN_OR_RETURN(const RepairTarget target, Target(old.get()));
    absl::Status built = Build(old.get(), target, false);
    // Leaves that are whole and not those of this log: all from the source, then.
    if (absl::IsDataLoss(built) && target.source_size >= target.head.size) {
      built = Build(old.get(), target, true);
    }
    STELE_RETURN_IF_ERROR(built);
    old.reset();
    STELE_RETURN_IF_ERROR(Swap());
    if (guard_ != nullptr && guard_->position().size < target.head.size) {
      STELE_RETURN_IF_ERROR(guard_->Record({target.head.size, target.head.root}));
    }
    return absl::OkStatus();
  }

  std::shared_ptr<const Snapshot> OldSnapshot() const {
    const std::unique_ptr<Backend> old = OpenForSalvage(DbOptions(options_, paths_.db));
    if (old == nullptr) return nullptr;
    absl::StatusOr<std::shared_ptr<const Snapshot>> snapshot = old->GetSnapshot();
    return snapshot.ok() ? *std::move(snapshot) : nullptr;
  }

  absl::StatusOr<RepairTarget> Target(const Snapshot* old) {
    Witnesses witnesses;
    if (guard_ != nullptr) {
      witnesses.guard_identity = guard_->identity();
      witnesses.guard = guard_->position();
    }
    if (old != nullptr) witnesses.head = old->head();
    witnesses.log_keys = report_.before.log.log_keys;
    STELE_ASSIGN_OR_RETURN(witnesses.source, source_.Checkpoint());
    return ChooseTarget(witnesses, paths_);
  }

  absl::Status Build(const Snapshot* old, const RepairTarget& target, bool distrust) {
    std::error_code error;
    fs::remove_all(new_db_, error);  // of a repair that was cut off
    RocksDbOptions db = DbOptions(options_, new_db_);
    db.create = true;
    STELE_ASSIGN_OR_RETURN(const std::unique_ptr<Backend> backend, OpenRocksDb(db, nullptr));
    Rebuild rebuild(old, source_, *backend);
    auto progress = [&](uint64_t done, uint64_t all) {
      if (options_.progress) {
        options_.progress({.file_bytes = 0, .entries = done, .all_entries = all});
      }
    };
    STELE_RETURN_IF_ERROR(
        rebuild.Write(target.head, target.source_size, target.reach, distrust, progress));
    report_.leaves_fetched = rebuild.leaves_fetched();
    report_.contents_fetched = rebuild.contents_fetched();
    return CheckBuilt(*backend);
  }

  // What nobody has of content is told afterwards; anything else must not come to the store.
  absl::Status CheckBuilt(const Backend& backend) const {
    std::string wrong;
    Findings findings([&](const Finding& finding) {
      const bool log_says_so = finding.remedy == kLogSaysSo;
      if (finding.kind != "content" && !log_says_so && wrong.empty()) wrong = finding.Text();
    });
    STELE_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> snapshot, backend.GetSnapshot());
    STELE_RETURN_IF_ERROR(CheckSnapshot(*snapshot, std::nullopt, findings, {}).status());
    if (wrong.empty()) return absl::OkStatus();
    return absl::InternalError(Concat("what was rebuilt is not clean, and was not used: ", wrong));
  }

  absl::Status Swap() {
    fs::path kept;
    std::error_code error;
    for (int n = 1; kept.empty() || fs::exists(kept, error); ++n) {
      kept = paths_.dir / Concat("db.damaged-", n);
    }
    STELE_RETURN_IF_ERROR(Replace(new_db_, paths_.db, kept));
    STELE_RETURN_IF_ERROR(SyncFolder(paths_.dir));
    report_.rebuilt = true;
    report_.kept = kept;
    return absl::OkStatus();
  }

  absl::Status RemoveIndex() {
    std::error_code error;
    fs::remove_all(paths_.index, error);
    if (!error) return absl::OkStatus();
    return absl::UnavailableError(
        Concat("removing ", paths_.index.string(), ": ", error.message()));
  }

  absl::Status MendGuard() {
    if (guard_ == nullptr) return absl::OkStatus();
    STELE_ASSIGN_OR_RETURN(const GuardLook look, LookAtGuard(paths_.guard));
    return look.faults.empty() ? absl::OkStatus() : guard_->Refresh();
  }

  const FsckOptions& options_;
  RepairSource& source_;
  const StorePaths paths_;
  const fs::path new_db_;
  std::unique_ptr<Guard> guard_;  // null: missing or damaged
  std::unique_ptr<FolderLock> lock_;
  RepairReport report_;
};

}  // namespace

absl::StatusOr<RepairReport> Repair(const RepairOptions& options, RepairSource& source) {
  return StoreRepair(options, source).Run();
}

}  // namespace stele::store
