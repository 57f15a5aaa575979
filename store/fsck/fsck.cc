#include "store/fsck/fsck.h"

#include <memory>
#include <optional>
#include <utility>

#include "core/base/concat.h"
#include "core/base/status_macros.h"
#include "core/crypto/key.h"
#include "core/tlog/note.h"
#include "store/backend/rocksdb/inspect.h"
#include "store/backend/rocksdb/rocksdb_index.h"
#include "store/durable_file.h"
#include "store/fsck/guard_look.h"
#include "store/open_log.h"
#include "store/store_folder.h"

namespace stele::store {
namespace {

constexpr std::string_view kRestoreFile = "put the file back from a backup";
constexpr std::string_view kMendGuard =
    "steled writes it anew at its next start if the other block is whole; else restore it, or "
    "remove it and start once with --accept-no-guard, if you are sure of the store";
constexpr std::string_view kRebuildDatabase =
    "rebuild what is lost with stele fsck --repair-from a mirror or a server, or restore a backup "
    "that the guard allows";

class StoreCheck {
 public:
  explicit StoreCheck(const FsckOptions& options)
      : options_(options), paths_(PathsOf(options.dir, options.guard)), findings_(options.found) {}

  absl::StatusOr<FsckReport> Check() {
    STELE_RETURN_IF_ERROR(CheckFolder());
    // Before the database: a writer moves the guard after it.
    STELE_RETURN_IF_ERROR(ReadGuard());
    STELE_ASSIGN_OR_RETURN(const RocksDbInspection inspection, Inspect());
    if (inspection.backend != nullptr) {
      STELE_RETURN_IF_ERROR(CheckLog(*inspection.backend));
      if (findings_.count() == 0) STELE_RETURN_IF_ERROR(CheckIndex(*inspection.backend));
    }
    report_.findings = findings_.count();
    return std::move(report_);
  }

 private:
  absl::Status CheckFolder() {
    const absl::Status status = CheckStoreFolder(paths_);
    if (status.ok() || absl::IsNotFound(status)) return status;
    if (!absl::IsFailedPrecondition(status)) return status;
    findings_.Add("file", "format", std::string(status.message()), kRestoreFile);
    return absl::OkStatus();
  }

  absl::Status ReadGuard() {
    absl::StatusOr<GuardLook> look = LookAtGuard(paths_.guard);
    if (absl::IsNotFound(look.status())) {
      findings_.Add("guard", paths_.guard.string(),
                    "is missing, so nothing tells whether this store was rolled back", kMendGuard);
      return absl::OkStatus();
    }
    STELE_RETURN_IF_ERROR(look.status());
    guard_ = *std::move(look);
    for (const std::string& fault : guard_.faults) {
      findings_.Add("guard", paths_.guard.string(), fault, kMendGuard);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<RocksDbInspection> Inspect() {
    RocksDbOptions db;
    db.dir = paths_.db;
    db.cache_bytes = options_.cache_bytes;
    db.write_buffer_bytes = options_.write_buffer_bytes;
    db.log = options_.log;
    absl::StatusOr<RocksDbInspection> inspected = InspectRocksDb(db, [&](uint64_t bytes) {
      progress_.file_bytes = bytes;
      if (options_.progress) options_.progress(progress_);
    });
    if (absl::IsNotFound(inspected.status())) {
      findings_.Add("file", "db", "the folder is missing", kRebuildDatabase);
      return RocksDbInspection{};
    }
    STELE_RETURN_IF_ERROR(inspected.status());
    const FilesInspected& files = inspected->files;
    for (const FileFault& fault : files.faults) {
      findings_.Add("file", "db/" + fault.file, fault.what, kRebuildDatabase);
    }
    for (const FileFault& torn : files.torn) {
      report_.torn.push_back(Concat("db/", torn.file, " ", torn.what));
    }
    if (!inspected->opened.ok()) {
      findings_.Add("database", "db", std::string(inspected->opened.message()), kRebuildDatabase);
    }
    report_.files = files.files;
    report_.file_bytes = files.bytes;
    report_.opened = inspected->opened.ok();
    return inspected;
  }

  absl::Status CheckLog(const Backend& backend) {
    const absl::StatusOr<std::shared_ptr<const Snapshot>> snapshot = backend.GetSnapshot();
    if (absl::IsUnavailable(snapshot.status())) return snapshot.status();
    if (!snapshot.ok()) {
      findings_.AddRow("head", snapshot.status(), kRebuildDatabase);
      return absl::OkStatus();
    }
    std::optional<MustReach> must_reach;
    if (guard_.position) must_reach = {guard_.position->size, guard_.position->root};
    auto progress = [&](uint64_t done, uint64_t all) {
      progress_.entries = done;
      progress_.all_entries = all;
      if (options_.progress) options_.progress(progress_);
    };
    STELE_ASSIGN_OR_RETURN(report_.log, CheckSnapshot(**snapshot, must_reach, findings_, progress));
    if ((*snapshot)->head()) CheckGuardIdentity(*(*snapshot)->head());
    CheckLogKey();
    return absl::OkStatus();
  }

  // Beside a writer the index is read as of its last flush.
  absl::Status CheckIndex(const Backend& backend) {
    STELE_ASSIGN_OR_RETURN(const std::shared_ptr<const Snapshot> log, backend.GetSnapshot());
    const absl::StatusOr<std::unique_ptr<IndexStore>> index =
        OpenRocksDbIndex({.dir = paths_.index,
                          .read_only = true,
                          .verify = true,
                          .cache_bytes = options_.cache_bytes,
                          .log = options_.log});
    if (absl::IsNotFound(index.status())) return absl::OkStatus();  // derived at the next start
    if (absl::IsUnavailable(index.status())) return index.status();
    if (!index.ok()) {
      findings_.Add("index", "index", std::string(index.status().message()), kReindex);
      return absl::OkStatus();
    }
    STELE_ASSIGN_OR_RETURN(const auto rows, (*index)->GetSnapshot());
    progress_.indexing = true;
    auto progress = [&](uint64_t done, uint64_t all) {
      progress_.entries = done;
      progress_.all_entries = all;
      if (options_.progress) options_.progress(progress_);
    };
    STELE_ASSIGN_OR_RETURN(report_.index, CheckIndexRows(*log, *rows, findings_, progress));
    report_.index_checked = true;
    return absl::OkStatus();
  }

  void CheckGuardIdentity(const Head& head) {
    if (!guard_.identity || !report_.log.genesis_leaf_hash) return;
    const GuardIdentity store{head.origin, *report_.log.genesis_leaf_hash};
    if (*guard_.identity == store) return;
    findings_.Add("guard", paths_.guard.string(),
                  Concat("is of ", guard_.identity->origin, " with genesis leaf ",
                         guard_.identity->genesis_leaf_hash.ToHex(), ", the store is ",
                         store.origin, " with genesis leaf ", store.genesis_leaf_hash.ToHex()),
                  "name the right guard with --guard");
  }

  void CheckLogKey() {
    const std::vector<LogKeySpan>& log_keys = report_.log.log_keys;
    if (log_keys.empty()) return;
    const absl::StatusOr<PrivateKey> key = ReadLogKey(paths_);
    if (!key.ok()) {
      findings_.Add("key", "log.key", std::string(key.status().message()), kRestoreFile);
      return;
    }
    for (const LogKeySpan& span : log_keys) {
      const auto is = NoteVerifier::Make(span.key.name, key->public_key());
      if (is.ok() && is->ToVkey() == span.key.ToVkey()) return;
    }
    findings_.Add("key", "log.key",
                  Concat("is no key of the log, whose newest is ", log_keys.back().key.ToVkey()),
                  kRestoreFile);
  }

  const FsckOptions& options_;
  const StorePaths paths_;
  Findings findings_;
  GuardLook guard_;
  FsckProgress progress_;
  FsckReport report_;
};

}  // namespace

absl::StatusOr<FsckReport> Fsck(const FsckOptions& options) { return StoreCheck(options).Check(); }

}  // namespace stele::store
