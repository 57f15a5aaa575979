#include "store/open_log.h"

#include <utility>

#include "core/base/status_macros.h"
#include "store/backend/rocksdb/rocksdb_backend.h"
#include "store/durable_file.h"
#include "store/log/guard.h"
#include "store/log/recovery.h"

namespace stele::store {
namespace {

absl::StatusOr<std::unique_ptr<Guard>> OpenGuard(const StorePaths& paths, bool accept_none) {
  absl::StatusOr<std::unique_ptr<Guard>> guard = Guard::Open(paths.guard);
  if (!absl::IsNotFound(guard.status())) return guard;
  if (accept_none) return nullptr;
  return absl::FailedPreconditionError(
      "the guard " + paths.guard.string() +
      " is missing, so nothing tells whether this store was rolled back; name it with --guard, or, "
      "if you are sure that the store is complete, start once with --accept-no-guard");
}

absl::StatusOr<GuardIdentity> IdentityOf(const Snapshot& snapshot) {
  if (!snapshot.head().has_value()) {
    return absl::FailedPreconditionError("the store has no genesis entry");
  }
  STELE_ASSIGN_OR_RETURN(const EntryRow genesis, snapshot.Entry(EntryIndex{0}));
  return GuardIdentity{snapshot.head()->origin, LeafHash(genesis.leaf)};
}

absl::Status CheckGuard(const Guard* guard, const Snapshot& snapshot) {
  STELE_ASSIGN_OR_RETURN(const GuardIdentity identity, IdentityOf(snapshot));
  if (guard == nullptr) return absl::OkStatus();
  STELE_RETURN_IF_ERROR(guard->CheckIdentity(identity));
  return CheckReaches(snapshot, guard->position().size, guard->position().root);
}

absl::Status BringGuardToHead(const StorePaths& paths, OpenedLog& opened) {
  const Head& head = opened.recovered.state.head;
  const GuardPosition position{.size = head.size, .root = head.root};
  if (opened.guard == nullptr) {
    const GuardIdentity identity{head.origin, opened.recovered.genesis_leaf_hash};
    STELE_ASSIGN_OR_RETURN(opened.guard, Guard::Create(paths.guard, identity, position));
    return absl::OkStatus();
  }
  if (opened.guard->position() == position) return absl::OkStatus();
  return opened.guard->Record(position);
}

}  // namespace

absl::StatusOr<PrivateKey> ReadLogKey(const StorePaths& paths) {
  absl::StatusOr<std::string> pem = ReadWholeFile(paths.log_key);
  if (!pem.ok()) {
    return absl::FailedPreconditionError("the log's key cannot be read: " +
                                         std::string(pem.status().message()));
  }
  absl::StatusOr<PrivateKey> key = PrivateKey::FromPem(*pem);
  if (key.ok()) return key;
  return absl::FailedPreconditionError(paths.log_key.string() +
                                       " is not a private key; put the log's own key back");
}

absl::StatusOr<OpenedLog> OpenLog(const StorePaths& paths, const OpenOptions& options,
                                  const std::vector<PrivateKey>& log_keys) {
  STELE_ASSIGN_OR_RETURN(std::unique_ptr<Guard> guard, OpenGuard(paths, options.accept_no_guard));
  RocksDbOptions db;
  db.dir = paths.db;
  db.cache_bytes = options.cache_bytes;
  db.write_buffer_bytes = options.write_buffer_bytes;
  db.log = options.log;
  STELE_ASSIGN_OR_RETURN(std::shared_ptr<Backend> backend,
                         OpenRocksDb(db, [&guard](const Snapshot& snapshot) {
                           return CheckGuard(guard.get(), snapshot);
                         }));
  STELE_ASSIGN_OR_RETURN(Recovered recovered, Recover(*backend, log_keys));
  OpenedLog opened{std::move(guard), std::move(backend), std::move(recovered)};
  STELE_RETURN_IF_ERROR(BringGuardToHead(paths, opened));
  return opened;
}

}  // namespace stele::store
